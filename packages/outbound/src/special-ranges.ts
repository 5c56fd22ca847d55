/**
 * Addresses that are not ordinary Internet hosts: those of the IANA special-purpose registries that are not globally
 * reachable (RFC 6890 and its successors, as of November 2026), multicast, and the metadata services of clouds. If
 * several ranges contain an address, the first one names it.
 */
export interface SpecialRange {
  readonly cidr: string;
  /** Completes the sentence "10.1.2.3 belongs to ...". */
  readonly kind: string;
}

const makeRanges = (kind: string, ...cidrs: string[]): SpecialRange[] =>
  cidrs.map((cidr) => ({ cidr, kind }));

/** A client that reaches one of these may obtain the machine's credentials. */
export const metadataRanges: readonly SpecialRange[] = makeRanges(
  "the metadata service of a cloud",
  "169.254.169.254/32",
  "169.254.170.2/32",
  "169.254.170.23/32",
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  "fd00:ec2::254/128",
  "fd00:ec2::23/128",
  "fd20:ce::254/128",
);

export const specialRanges: readonly SpecialRange[] = [
  ...metadataRanges,
  ...makeRanges(
    "a private network",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "fc00::/7",
    "fec0::/10",
  ),
  ...makeRanges("the shared network of a provider", "100.64.0.0/10"),
  ...makeRanges("this machine", "127.0.0.0/8", "::1/128"),
  ...makeRanges("the link of this machine", "169.254.0.0/16", "fe80::/10"),
  ...makeRanges("the unspecified addresses", "0.0.0.0/8", "::/128"),
  ...makeRanges("the multicast addresses", "224.0.0.0/4", "ff00::/8"),
  ...makeRanges(
    "the addresses for documentation",
    "192.0.2.0/24",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "2001:db8::/32",
    "3fff::/20",
  ),
  ...makeRanges("the addresses for network tests", "198.18.0.0/15", "2001:2::/48"),
  ...makeRanges("the addresses for protocols", "192.0.0.0/24", "2001::/23"),
  ...makeRanges("the addresses for tunnels", "192.88.99.0/24", "64:ff9b:1::/48", "2002::/16"),
  // Global unicast addresses begin with the bits 001 (RFC 4291); these are all others.
  ...makeRanges("the reserved addresses", "240.0.0.0/4", "::/3", "4000::/2", "8000::/1"),
];
