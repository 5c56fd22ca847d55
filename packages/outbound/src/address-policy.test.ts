import { expect, test } from "vitest";
import { judgeAddress } from "./address-policy.ts";
import { specialRanges } from "./special-ranges.ts";

/** Each range with its first and last address, and their neighbours; a neighbour in another special range is null. */
const ranges: [cidr: string, first: string, last: string, before: string | null, after: string | null][] = [
  ["0.0.0.0/8", "0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
  ["10.0.0.0/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0/10", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0/8", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["169.254.0.0/16", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0/24", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0/24", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["192.88.99.0/24", "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["192.168.0.0/16", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["198.18.0.0/15", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["198.51.100.0/24", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["203.0.113.0/24", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["224.0.0.0/4", "224.0.0.0", "239.255.255.255", "223.255.255.255", null],
  ["240.0.0.0/4", "240.0.0.0", "255.255.255.255", null, null],
  ["::/128", "::", "::", null, null],
  ["::1/128", "::1", "::1", null, null],
  ["::/3", "1::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, "2000::"],
  ["64:ff9b:1::/48", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", null, null],
  ["2001::/23", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", "2001:200::"],
  ["2001:2::/48", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", null, null],
  ["2001:db8::/32", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff::", "2001:db9::"],
  ["2002::/16", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::", "2003::"],
  ["3fff::/20", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff::", "3fff:1000::"],
  ["4000::/2", "4000::", "7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff::", null],
  ["8000::/1", "8000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["fc00::/7", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["fe80::/10", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["fec0::/10", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
  ["ff00::/8", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, null],
];
const metadata = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
];
const isIpv6 = (address: string) => address.includes(":");

test("every special range is covered by these tests", () => {
  const tested = [...ranges.map(([cidr]) => cidr), ...metadata.map((a) => `${a}/${isIpv6(a) ? 128 : 32}`)];
  expect(tested.sort()).toEqual(specialRanges.map(({ cidr }) => cidr).sort());
});

test.each(ranges)(
  "%s is denied from %s to %s, and its neighbours are not",
  (cidr, first, last, before, after) => {
    for (const address of [first, last]) {
      expect(judgeAddress(address, []), address).toMatchObject({
        isAllowed: false,
        denial: { range: { cidr } },
      });
      expect(judgeAddress(address, [cidr]), address).toMatchObject({ isAllowed: true });
    }
    for (const address of [before, after]) {
      if (address !== null) expect(judgeAddress(address, []), address).toMatchObject({ isAllowed: true });
    }
  },
);

const octets = (address: string) => address.split(".").map(Number) as [number, number, number, number];
const hex = (address: string): string => {
  const [a, b, c, d] = octets(address);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};
const ipv4Edges = ranges.flatMap(([, first, last]) => (isIpv6(first) ? [] : [first, last]));

test.each(ipv4Edges)("%s is denied in every IPv6 form", (address) => {
  const dresses = [
    `::ffff:${address}`,
    `::ffff:${hex(address)}`,
    `0:0:0:0:0:FFFF:${hex(address)}`,
    `::${address}`,
    `64:ff9b::${address}`,
    `64:ff9b::${hex(address)}`,
    `64:ff9b:1::${hex(address)}`,
    `2002:${hex(address)}::1`,
    `::ffff:0:${hex(address)}`,
  ];
  for (const dress of dresses) expect(judgeAddress(dress, []), dress).toMatchObject({ isAllowed: false });
});

test("a NAT64 address of an ordinary host stays IPv6, and an IPv4-mapped address becomes IPv4", () => {
  expect(judgeAddress("64:ff9b::8.8.8.8", [])).toEqual({
    isAllowed: true,
    pinned: { address: "64:ff9b::808:808", family: 6 },
  });
  expect(judgeAddress("::ffff:8.8.8.8", [])).toEqual({
    isAllowed: true,
    pinned: { address: "8.8.8.8", family: 4 },
  });
});

test("an admin's network allows its own addresses and no others, in its own family", () => {
  expect(judgeAddress("127.0.0.1", ["127.0.0.1/32", "::1/128"])).toMatchObject({ isAllowed: true });
  expect(judgeAddress("::ffff:127.0.0.1", ["127.0.0.1/32"])).toMatchObject({ isAllowed: true });
  expect(judgeAddress("127.0.0.2", ["127.0.0.1/32"])).toMatchObject({ isAllowed: false });
  expect(judgeAddress("64:ff9b::7f00:1", ["127.0.0.1/32"])).toMatchObject({ isAllowed: false });
  expect(judgeAddress("10.1.2.3", ["10.1.0.0/16"])).toMatchObject({ isAllowed: true });
  expect(judgeAddress("10.2.2.3", ["10.1.0.0/16"])).toMatchObject({ isAllowed: false });
  expect(judgeAddress("fd12:3456::1", ["fd12:3456::/32"])).toMatchObject({ isAllowed: true });
});

test.each(metadata)("%s is allowed only by an entry for this single address", (address) => {
  const wide = ["0.0.0.0/0", "::/0", "100.64.0.0/10", "169.254.0.0/16", "fc00::/7"];
  expect(judgeAddress(address, wide)).toMatchObject({
    isAllowed: false,
    denial: { address, range: { kind: "the metadata service of a cloud" } },
  });
  expect(judgeAddress(address, [`${address}/${isIpv6(address) ? 128 : 32}`])).toMatchObject({
    isAllowed: true,
  });
});

test.each(["fe80::1%eth0", "FE80::1", "fe80:0:0:0:0:0:0:1"])("%s is recognised as fe80::1", (text) => {
  expect(judgeAddress(text, [])).toMatchObject({ isAllowed: false, denial: { address: "fe80::1" } });
});

test.each(["", "localhost", "10.1", "0x7f.1", "1.2.3.4/8", "[::1]"])("%j is not an address", (text) => {
  expect(judgeAddress(text, [])).toBeNull();
});
