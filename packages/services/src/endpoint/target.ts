/** An endpoint as benchmarks and connection tests reach it: its name resolved once, judged and pinned. */
import { type EndpointTargetInput, hostnameOf } from "@stashlight/benchmark";
import type { EndpointCredentials } from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";
import { pinDestination } from "@stashlight/outbound";
import { allowedNetworks } from "../outbound/networks.ts";
import type { Platform } from "../platform.ts";
import { openSecretAccessKey } from "./credentials.ts";

export type StoredEndpoint = Prisma.EndpointGetPayload<object>;

export interface ReachableEndpoint {
  target: EndpointTargetInput;
  credentials: EndpointCredentials;
}

/** The vault beside the product is on this machine, and its address is the product's own, not a person's word. */
const ofThisMachine = ["127.0.0.0/8", "::1/128"];

/** Refused with a sentence when the name cannot be resolved, or its address is one that must not be sent to. */
export async function reachEndpoint(
  platform: Platform,
  endpoint: StoredEndpoint,
): Promise<ReachableEndpoint> {
  const { name, url, region, bucket, prefix, caPem, accessKeyId } = endpoint;
  const kind = endpoint.kind as EndpointTargetInput["kind"];
  const addressing = endpoint.addressing as EndpointTargetInput["addressing"];
  const networks = await allowedNetworks(platform);
  const isOwn = endpoint.builtInKey !== null;
  const { address } = await pinDestination(
    hostnameOf({ url, bucket, addressing }),
    isOwn ? [...networks, ...ofThisMachine] : networks,
  );
  return {
    target: { name, kind, url, region, bucket, prefix, addressing, caPem, address },
    credentials: {
      accessKeyId,
      secretAccessKey: openSecretAccessKey(platform.options.secret, endpoint),
    },
  };
}
