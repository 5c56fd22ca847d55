/** What a benchmark uploads to: an endpoint whose name the caller has resolved, and whose address it has judged. */
import { isIP } from "node:net";
import { endpointAddressings, endpointKinds } from "@stashlight/contracts/benchmark/endpoint";
import { z } from "zod";
import type { WireTarget } from "../wire/connection.ts";

const payloadSignings = ["signed", "unsigned"] as const;

export const endpointTargetSchema = z.strictObject({
  name: z.string().max(100),
  kind: z.enum(endpointKinds),
  /** Only a protocol, a host and a port. */
  url: z.url({ protocol: /^https?$/ }).max(500),
  region: z.string().min(1).max(60),
  bucket: z.string().min(3).max(63),
  prefix: z.string().max(200),
  addressing: z.enum(endpointAddressings),
  /** PEM; empty for the system's authorities. */
  caPem: z.string().max(100_000),
  /** The address of `hostnameOf`, resolved once and judged. */
  address: z.string().refine((text) => isIP(text) !== 0, "The address is an IPv4 or IPv6 address."),
  /** Whether the SHA-256 of a body is part of the signature. It is computed before the clock starts either way. */
  payloadSigning: z.enum(payloadSignings).default("signed"),
  /** Sent, and signed, with each PUT. */
  putHeaders: z
    .record(z.string().regex(/^x-[a-z0-9-]{1,100}$/), z.string().regex(/^[\x20-\x7e]{1,1000}$/))
    .default({}),
});
export type EndpointTarget = z.infer<typeof endpointTargetSchema>;
export type EndpointTargetInput = z.input<typeof endpointTargetSchema>;

export {
  type EndpointCredentials,
  endpointCredentialsSchema,
} from "@stashlight/contracts/benchmark/endpoint";

/** The name to resolve, and to pin the address of: with host-style addressing the bucket is part of it. */
export function hostnameOf({
  url,
  bucket,
  addressing,
}: Pick<EndpointTarget, "url" | "bucket" | "addressing">): string {
  const name = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  return addressing === "host" ? `${bucket}.${name}` : name;
}

export function wireTargetOf(target: EndpointTarget): WireTarget {
  const { protocol, port } = new URL(target.url);
  const isTls = protocol === "https:";
  return {
    hostname: hostnameOf(target),
    address: target.address,
    port: port === "" ? (isTls ? 443 : 80) : Number(port),
    isTls,
    caPem: target.caPem,
  };
}

/** The Host header: with the port, unless it is the protocol's own. */
export function hostHeaderOf(target: EndpointTarget): string {
  const { host } = new URL(target.url);
  return target.addressing === "host" ? `${target.bucket}.${host}` : host;
}

/** Address and port as a sample has them. */
export function remoteAddressOf({ address, port }: WireTarget): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
