import { expect, test } from "vitest";
import { clientAddress, parseTrustedProxies } from "./client-address.ts";

const proxies = parseTrustedProxies("10.0.0.0/8, 127.0.0.1, fd00::/8");

test.each([
  ["203.0.113.7", undefined, "203.0.113.7", "a direct client is its socket's address"],
  ["203.0.113.7", "198.51.100.1", "203.0.113.7", "an untrusted client cannot claim another address"],
  ["10.0.0.5", "198.51.100.1", "198.51.100.1", "a trusted proxy's claim is believed"],
  ["10.0.0.5", "6.6.6.6, 198.51.100.1", "198.51.100.1", "a claim the client made itself is not"],
  ["127.0.0.1", "198.51.100.1, 10.1.2.3", "198.51.100.1", "a chain of trusted proxies is followed"],
  ["10.0.0.5", "nonsense", "10.0.0.5", "what is not an address ends the search"],
  ["10.0.0.5", undefined, "10.0.0.5", "a proxy without the header is the client"],
  ["::ffff:10.0.0.5", "::ffff:198.51.100.1", "198.51.100.1", "IPv4 over an IPv6 socket is IPv4"],
  ["fd00::1", "2001:db8::7", "2001:db8::7", "IPv6 works alike"],
])("the client of %s with X-Forwarded-For %s is %s: %s", (peer, forwarded, expected, _why) => {
  expect(clientAddress(peer, forwarded, proxies)).toBe(expected);
});

test.each(["10.0.0.0/33", "proxy.example", "10.0.0.0/x", "::1/129"])(
  "%s is refused, and named in the error",
  (text) => {
    expect(() => parseTrustedProxies(text)).toThrow(text);
  },
);
