import { expect, test, vi } from "vitest";
import { findDenial, pinDestination } from "./destination.ts";

const resolveTo = (...addresses: string[]) => vi.fn(async () => addresses);
const unresolvable = () => Promise.reject(new Error("no such name"));

test("an ordinary address is pinned unchanged, without a lookup", async () => {
  const resolve = resolveTo();
  expect(await pinDestination("8.8.8.8", [], { resolve })).toEqual({ address: "8.8.8.8", family: 4 });
  expect(await pinDestination("[2606:4700::1111]", [], { resolve })).toEqual({
    address: "2606:4700::1111",
    family: 6,
  });
  expect(resolve).not.toHaveBeenCalled();
});

test("a name is resolved once, and only an allowed address is pinned", async () => {
  const resolve = resolveTo("127.0.0.1", "10.0.0.1", "8.8.8.8");
  expect(await pinDestination("hooks.example.org", [], { resolve })).toEqual({
    address: "8.8.8.8",
    family: 4,
  });
  expect(resolve).toHaveBeenCalledOnce();
  expect(await pinDestination("hooks.example.org", ["10.0.0.0/8"], { resolve })).toEqual({
    address: "10.0.0.1",
    family: 4,
  });
});

test.each([
  ["nas", ["10.1.2.3"], "nas is 10.1.2.3, which belongs to a private network (10.0.0.0/8)."],
  ["nas", ["::ffff:7f00:1"], "nas is 127.0.0.1, which belongs to this machine (127.0.0.0/8)."],
  ["192.168.0.7", [], "192.168.0.7 belongs to a private network (192.168.0.0/16)."],
  ["[fd12::1]", [], "fd12::1 belongs to a private network (fc00::/7)."],
])("a denial names the address, its network and the remedy: %s", async (host, addresses, words) => {
  const denied = pinDestination(host, [], { resolve: resolveTo(...addresses) });
  await expect(denied).rejects.toMatchObject({ code: "precondition_failed" });
  await expect(denied).rejects.toThrow(
    `${words} Nothing is sent there unless it is allowed. An admin can allow it under "Allowed networks"`,
  );
});

test("the caller can replace the advice", async () => {
  await expect(pinDestination("10.1.2.3", [], { remedy: "Set a variable." })).rejects.toThrow(
    /Set a variable\.$/,
  );
});

test("a name that cannot be resolved, or has no address, causes a temporary error", async () => {
  for (const resolve of [unresolvable, resolveTo()]) {
    await expect(pinDestination("gone.example.org", [], { resolve })).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(await findDenial("gone.example.org", [], resolve)).toBeNull();
  }
});

test("a host is denied only if none of its addresses is allowed", async () => {
  expect(await findDenial("nas", [], resolveTo("10.1.2.3", "172.16.0.1"))).toEqual({
    address: "10.1.2.3",
    range: { cidr: "10.0.0.0/8", kind: "a private network" },
  });
  expect(await findDenial("nas", [], resolveTo("10.1.2.3", "8.8.8.8"))).toBeNull();
  expect(await findDenial("nas", ["172.16.0.0/12"], resolveTo("10.1.2.3", "172.16.0.1"))).toBeNull();
});
