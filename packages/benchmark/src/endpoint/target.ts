/** Target of a benchmark: an endpoint whose name the caller has resolved, and whose address it has checked. */
import { isIP } from "node:net";
import {
  type EndpointCredentials,
  endpointAddressings,
  parseServiceAccount,
  storeKinds,
} from "@stashlight/contracts/endpoint";
import { z } from "zod";
import type { WireTarget } from "../wire/connection.ts";

const payloadSignings = ["signed", "unsigned"] as const;

export const endpointTargetSchema = z.strictObject({
  name: z.string().max(100),
  kind: z.enum(storeKinds),
  /** Consists only of a protocol, a host and a port. */
  url: z.url({ protocol: /^https?$/ }).max(500),
  region: z.string().min(1).max(60),
  bucket: z.string().min(3).max(63),
  prefix: z.string().max(200),
  addressing: z.enum(endpointAddressings),
  /** PEM of the CA; empty to use the system's. */
  caPem: z.string().max(100_000),
  /** Address of `targetHostname`, resolved once and checked. */
  address: z.string().refine((text) => isIP(text) !== 0, "The address is an IPv4 or IPv6 address."),
  /** Address of the server that issues access tokens, resolved and checked as well; null if none are needed. */
  tokenAddress: z.string().nullable().default(null),
  /** Includes the SHA-256 of a body in the signature; it is computed before the clock starts either way. */
  payloadSigning: z.enum(payloadSignings).default("signed"),
  /** Sent, and signed, with each PUT. */
  putHeaders: z
    .record(z.string().regex(/^x-[a-z0-9-]{1,100}$/), z.string().regex(/^[\x20-\x7e]{1,1000}$/))
    .default({}),
});
export type EndpointTarget = z.infer<typeof endpointTargetSchema>;
export type EndpointTargetInput = z.input<typeof endpointTargetSchema>;

type Place = Pick<EndpointTarget, "kind" | "url" | "bucket" | "addressing">;

/** Azure's host names contain the account, which is part of the address. */
const hasBucketInHost = ({ kind, addressing }: Place): boolean =>
  addressing === "host" && kind !== "azure-blob";

/** Returns a name or an address in the form that sockets take, without the brackets of IPv6. */
const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Returns the name to resolve and pin; with host-style addressing it includes the bucket. */
export function targetHostname(place: Place): string {
  const name = bareHost(new URL(place.url));
  return hasBucketInHost(place) ? `${place.bucket}.${name}` : name;
}

/**
 * Returns the endpoint with the addresses of all hosts that its driver connects to. `pin` resolves a name and checks
 * the address; its rejection is passed on.
 */
export async function pinTarget<Endpoint extends Place>(
  endpoint: Endpoint,
  { secretAccessKey }: EndpointCredentials,
  pin: (hostname: string) => Promise<string>,
): Promise<Endpoint & { address: string; tokenAddress: string | null }> {
  const address = await pin(targetHostname(endpoint));
  const account = endpoint.kind === "gcs" ? parseServiceAccount(secretAccessKey) : null;
  if (account === null) return { ...endpoint, address, tokenAddress: null };
  return { ...endpoint, address, tokenAddress: await pin(bareHost(new URL(account.token_uri))) };
}

export function toWireTarget(target: EndpointTarget): WireTarget {
  return { ...wireTargetAt(target.url, target.address, target.caPem), hostname: targetHostname(target) };
}

/** Server of a URL, at an address that was resolved and checked. */
export function wireTargetAt(text: string, address: string, caPem: string): WireTarget {
  const url = new URL(text);
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  return { hostname: bareHost(url), address, port, isTls, caPem };
}

/** Returns the Host header: with the port, unless it is the protocol's default. */
export function hostHeader(target: EndpointTarget): string {
  const { host } = new URL(target.url);
  return hasBucketInHost(target) ? `${target.bucket}.${host}` : host;
}

/** Returns address and port in the form that samples record. */
export function formatRemoteAddress({ address, port }: WireTarget): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
