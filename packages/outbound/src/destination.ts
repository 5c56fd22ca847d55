/**
 * Where the product may send on an admin's word. A name is resolved once and the address is pinned, so that what was
 * checked is what is connected to; this machine, its link and the metadata services of clouds are denied unless the
 * admin's list allows them.
 */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { StashlightError } from "@stashlight/contracts";

export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

const denied4 = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "100.100.100.200/32",
  "168.63.129.16/32",
];
/** NAT64 and 6to4 carry IPv4 addresses, which would be a way around the list. */
const denied6 = [
  "::/128",
  "::1/128",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2002::/16",
  "2001::/32",
];

export function blocksOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits] = cidr.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

const denied = blocksOf([...denied4, ...denied6]);
const contains = (list: BlockList, { address, family }: PinnedAddress): boolean =>
  list.check(address, family === 6 ? "ipv6" : "ipv4");

/** An IPv4 address in IPv6 clothes, in any spelling, as IPv4. */
function plain(address: string): PinnedAddress | null {
  const version = isIP(address);
  if (version === 0) return null;
  if (version === 4) return { address, family: 4 };
  const { hostname } = new URL(`http://[${address.split("%")[0]}]/`);
  const shortest = hostname.slice(1, -1);
  const mapped = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(shortest);
  if (mapped === null) return { address: shortest, family: 6 };
  const [high, low] = [mapped[1], mapped[2]].map((part) => Number.parseInt(part ?? "", 16)) as [
    number,
    number,
  ];
  return { address: [high >> 8, high & 255, low >> 8, low & 255].join("."), family: 4 };
}

/** Whether messages may go to this address. */
export function isAllowed(pinned: PinnedAddress, allowedCidrs: readonly string[]): boolean {
  return contains(blocksOf(allowedCidrs), pinned) || !contains(denied, pinned);
}

export type Resolve = (host: string) => Promise<readonly string[]>;

const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** The address to connect to; of several, the first that is allowed. Refused with a sentence for the admin. */
export async function pinDestination(
  host: string,
  allowedCidrs: readonly string[],
  resolve: Resolve = systemResolve,
): Promise<PinnedAddress> {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(name) === 0 ? await resolved(name, resolve) : [name];
  const pinned = addresses.flatMap((address) => plain(address) ?? []);
  const allowed = pinned.find((each) => isAllowed(each, allowedCidrs));
  if (allowed !== undefined) return allowed;
  const address = pinned[0]?.address ?? "no address";
  throw new StashlightError(
    "precondition_failed",
    `${address === name ? name : `${name} is ${address}, which`} belongs to this machine, its link or a cloud's metadata; an admin can allow its network.`,
  );
}

async function resolved(name: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(name);
  } catch (cause) {
    throw new StashlightError("unavailable", `The name ${name} cannot be resolved.`, { cause });
  }
}
