/**
 * Determines the client address of a request. `X-Forwarded-For` is only a claim: it is read from the right, for as long
 * as the hop that added each entry is a trusted proxy.
 */
import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { thrownMessage } from "./thrown.ts";

export function clientAddress(
  peer: string,
  forwardedFor: string | string[] | undefined,
  trusted: BlockList,
): string {
  let address = plainAddress(peer);
  if (forwardedFor === undefined) return address;
  const hops = [forwardedFor].flat().join(",").split(",");
  while (isTrusted(address, trusted)) {
    const claimed = plainAddress(hops.pop()?.trim() ?? "");
    if (isIP(claimed) === 0) break;
    address = claimed;
  }
  return address;
}

/**
 * Parses addresses or CIDR blocks, separated by commas, into a lookup list; throws an error that names a malformed one.
 */
export function parseTrustedProxies(text: string): BlockList {
  const list = new BlockList();
  for (const entry of text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const widest = family === "ipv6" ? 128 : 32;
    const prefix = bits === undefined ? widest : Number(bits);
    if (isIP(address) === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > widest) {
      throw new Error(`"${entry}" is not an address or a block such as 10.0.0.0/8`);
    }
    list.addSubnet(address, prefix, family);
  }
  return list;
}

/** The trusted proxies in a process's environment; without a value, no proxy is trusted. */
export const trustedProxies = z
  .string()
  .default("")
  .transform((text, context) => {
    try {
      return parseTrustedProxies(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: `is wrong: ${thrownMessage(error)}` });
      return z.NEVER;
    }
  });

function isTrusted(address: string, trusted: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && trusted.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** Returns an IPv4 address that arrived over an IPv6 socket as IPv4. */
function plainAddress(address: string): string {
  return address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
}
