/** Decides whether an address may be contacted; the only code that does. Resolves no names and opens no connections. */
import { BlockList, isIP } from "node:net";
import { metadataRanges, type SpecialRange, specialRanges } from "./special-ranges.ts";

export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Reason why an address may not be contacted. */
export interface Denial {
  readonly address: string;
  /** The special range that contains the address. */
  readonly range: SpecialRange;
}

export type Judgement =
  | { readonly isAllowed: true; readonly pinned: PinnedAddress }
  | { readonly isAllowed: false; readonly denial: Denial };

const compiled: readonly { range: SpecialRange; list: BlockList }[] = specialRanges.map((range) => ({
  range,
  list: toBlockList([range.cidr]),
}));

/**
 * Judges an address in any spelling; null if it is malformed. A network that an admin allows covers its addresses,
 * except the metadata service of a cloud, which needs an entry for its exact address: an admin who allows 100.64.0.0/10
 * means a VPN.
 */
export function judgeAddress(text: string, allowedCidrs: readonly string[]): Judgement | null {
  const pinned = plain(text);
  if (pinned === null) return null;
  const range = findSpecialRange(pinned);
  if (range === null || isListed(pinned, range, allowedCidrs)) return { isAllowed: true, pinned };
  return { isAllowed: false, denial: { address: pinned.address, range } };
}

function isListed(pinned: PinnedAddress, range: SpecialRange, allowedCidrs: readonly string[]): boolean {
  const isMetadata = metadataRanges.includes(range);
  const alone = pinned.family === 6 ? "/128" : "/32";
  const counting = isMetadata ? allowedCidrs.filter((cidr) => cidr.endsWith(alone)) : allowedCidrs;
  return contains(toBlockList(counting.filter((cidr) => cidrFamily(cidr) === pinned.family)), pinned);
}

/** Treats a NAT64 address like the IPv4 address in it, to which the gateway translates it. */
function findSpecialRange(pinned: PinnedAddress): SpecialRange | null {
  const inside = pinned.family === 6 ? translated(pinned.address) : null;
  if (inside !== null) return findSpecialRange(inside);
  const found = compiled.find(({ range, list }) => {
    return cidrFamily(range.cidr) === pinned.family && contains(list, pinned);
  });
  return found?.range ?? null;
}

/** Keeps networks of the two families apart, because a BlockList matches IPv4 addresses in ::ffff:0:0/96. */
function cidrFamily(cidr: string): 4 | 6 {
  return cidr.includes(":") ? 6 : 4;
}

function toBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits] = cidr.split("/");
    list.addSubnet(address, Number(bits), cidrFamily(cidr) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

function contains(list: BlockList, { address, family }: PinnedAddress): boolean {
  return list.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Returns the address in its canonical spelling. An IPv4-mapped IPv6 address becomes IPv4. */
function plain(text: string): PinnedAddress | null {
  const version = isIP(text);
  if (version === 0) return null;
  if (version === 4) return { address: text, family: 4 };
  const { hostname } = new URL(`http://[${text.split("%")[0]}]/`);
  const address = hostname.slice(1, -1);
  const groups = parseGroups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const isCompatible = groups.slice(0, 6).every((group) => group === 0) && groups[6] !== 0;
  return isMapped || isCompatible ? ipv4In(groups) : { address, family: 6 };
}

/** Extracts the IPv4 address from 64:ff9b::/96, the well-known NAT64 prefix (RFC 6052). */
function translated(address: string): PinnedAddress | null {
  const groups = parseGroups(address);
  const isTranslated =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  return isTranslated ? ipv4In(groups) : null;
}

/** The eight groups of an IPv6 address without dots. */
function parseGroups(address: string): number[] {
  const [head = "", tail = ""] = address.split("::");
  const parse = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(head), parse(tail)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function ipv4In(groups: readonly number[]): PinnedAddress {
  const [high = 0, low = 0] = groups.slice(6);
  return { address: [high >> 8, high & 255, low >> 8, low & 255].join("."), family: 4 };
}
