/** Reads the Host header of a request: the bucket before one of the endpoint's domains, if any. */
import { isIP } from "node:net";

/** Returns the host name in lower case, without port and trailing dot; null for an IP address, which has no labels. */
export function hostName(host: string | undefined): string | null {
  if (host === undefined || host.startsWith("[")) return null;
  const name = host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
  return name === "" || isIP(name) !== 0 ? null : name;
}

/** The names of an endpoint, in lower case. */
export interface EndpointNames {
  /** Domains that a bucket name may precede, longest first, so that the more specific of two matches. */
  readonly baseDomains: readonly string[];
  /** Host names of the endpoint that are never read as a bucket and a domain. */
  readonly hostNames: readonly string[];
}

/** Returns the labels in front of a base domain; null for a name of the endpoint itself, or a host below no domain. */
export function bucketOfHost(
  host: string | undefined,
  { baseDomains, hostNames }: EndpointNames,
): string | null {
  if (baseDomains.length === 0) return null;
  const name = hostName(host);
  if (name === null || baseDomains.includes(name) || hostNames.includes(name)) return null;
  const base = baseDomains.find((domain) => name.endsWith(`.${domain}`));
  return base === undefined ? null : name.slice(0, -base.length - 1);
}

/** Names that a bucket in front of an unknown domain could have: "a.b.c" may be bucket "a" at b.c, or "a.b" at c. */
export function leadingNames(name: string): readonly string[] {
  const labels = name.split(".");
  return labels.slice(1).map((_, i) => labels.slice(0, i + 1).join("."));
}
