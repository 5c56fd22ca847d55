/** The Host header of a request: which domain of ours it names, and which bucket stands in front of it. */
import { isIP } from "node:net";

/** In lower case, without the port and the dot of the root; null for an address, which has no labels. */
export function hostName(host: string | undefined): string | null {
  if (host === undefined || host.startsWith("[")) return null;
  const name = host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
  return name === "" || isIP(name) !== 0 ? null : name;
}

/** The labels in front of a base domain; null for a host that is not below one. */
export function bucketOfHost(host: string | undefined, baseDomains: readonly string[]): string | null {
  if (baseDomains.length === 0) return null;
  const name = hostName(host);
  const base = baseDomains.find((domain) => name?.endsWith(`.${domain}`));
  return name === null || base === undefined ? null : name.slice(0, -base.length - 1);
}

/** Names that a bucket in front of an unknown domain could have: "a.b.c" may be "a" at b.c, or "a.b" at c. */
export function leadingNames(name: string): readonly string[] {
  const labels = name.split(".");
  return labels.slice(1).map((_, i) => labels.slice(0, i + 1).join("."));
}
