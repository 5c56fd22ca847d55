import assert from "node:assert/strict";
import { isIPv4 } from "node:net";

/**
 * Returns true if this host can only be this machine. Names are not resolved: one name may mean an IPv4 and an IPv6
 * address, and another program could listen on the one that the node does not use.
 */
export function isLoopbackAddress(host: string): boolean {
  return host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/**
 * Nodes prove their identity on every connection, but without TLS nothing protects their messages afterwards. Between
 * loopback addresses no protection is needed: only the machine's administrator can read or change them.
 */
export function assertSecrecy({ host, tls }: { readonly host: string; readonly tls: object | null }): void {
  assert(
    tls !== null || isLoopbackAddress(host),
    `Without TLS, nodes communicate only between loopback addresses, such as 127.0.0.1; "${host}" is not one.`,
  );
}
