import { outboundNetworkInput } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { addressAlone, deniedTitle } from "./denied-address.ts";

test.each(["10.1.2.3", "fd12::1", "64:ff9b::a01:203"])(
  "the network of a single address starts with the address and is a valid entry: %s",
  (address) => {
    const cidr = addressAlone(address);
    expect(cidr.startsWith(`${address}/`)).toBe(true);
    expect(outboundNetworkInput.parse({ cidr })).toEqual({ cidr });
  },
);

test("the title counts the destinations", () => {
  expect(deniedTitle(1, "channel")).toBe("One channel is in a network that is not allowed");
  expect(deniedTitle(2, "endpoint")).toBe("2 endpoints are in networks that are not allowed");
});
