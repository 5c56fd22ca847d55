/** Resolves an endpoint's name once, and judges and pins its address, for benchmarks and connection tests. */
import { type EndpointTargetInput, pinTarget } from "@stashlight/benchmark/endpoint-target";
import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import type { Prisma } from "@stashlight/db";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { pinDestination } from "@stashlight/outbound";
import type { Core } from "../core.ts";
import { allowedNetworks } from "../outbound/allowed.ts";
import { openSecretAccessKey } from "./credentials.ts";

export type StoredEndpoint = Prisma.EndpointGetPayload<object>;

export interface ReachableEndpoint {
  target: EndpointTargetInput;
  credentials: EndpointCredentials;
}

/** The local vault is on this machine, and its address comes from the product, not from a person. */
const ofThisMachine = ["127.0.0.0/8", "::1/128"];

/** Throws an error with a message if the name cannot be resolved, or its address is denied. */
export async function reachEndpoint(platform: Core, endpoint: StoredEndpoint): Promise<ReachableEndpoint> {
  const { name, url, region, bucket, prefix, caPem, accessKeyId } = endpoint;
  const kind = endpointColumns.storeKind.read(endpoint.kind, endpoint.id);
  const addressing = endpointColumns.addressing.read(endpoint.addressing, endpoint.id);
  const networks = await allowedNetworks(platform);
  const isOwn = endpoint.builtInKey !== null;
  const credentials = {
    accessKeyId,
    secretAccessKey: openSecretAccessKey(platform.options.secret, endpoint),
  };
  const place = { name, kind, url, region, bucket, prefix, addressing, caPem };
  const target = await pinTarget(place, credentials, async (hostname) => {
    const { address } = await pinDestination(hostname, isOwn ? [...networks, ...ofThisMachine] : networks);
    return address;
  });
  return { target, credentials };
}
