import { expect, test } from "vitest";
import { pinDestination } from "./destination.ts";

const never = () => Promise.reject(new Error("not to be asked"));

test.each([
  "127.0.0.1",
  "127.9.9.9",
  "0.0.0.0",
  "169.254.169.254",
  "100.100.100.200",
  "168.63.129.16",
  "[::1]",
  "[::]",
  "[fe80::1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:a9fe:a9fe]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[fd00:ec2::254]",
  "255.255.255.255",
  "224.0.0.1",
])("%s is denied", async (host) => {
  await expect(pinDestination(host, [], never)).rejects.toMatchObject({ code: "precondition_failed" });
});

test.each(["10.1.2.3", "192.168.0.7", "203.0.113.9", "[2001:db8::1]"])("%s is allowed", async (host) => {
  expect((await pinDestination(host, [], never)).address).toBe(host.replace(/[[\]]/g, ""));
});

test("the admin's list allows what it names and no more", async () => {
  const allowed = ["127.0.0.1/32", "::1/128"];
  expect(await pinDestination("127.0.0.1", allowed, never)).toEqual({ address: "127.0.0.1", family: 4 });
  expect(await pinDestination("[::ffff:127.0.0.1]", allowed, never)).toEqual({
    address: "127.0.0.1",
    family: 4,
  });
  expect(await pinDestination("[::1]", allowed, never)).toEqual({ address: "::1", family: 6 });
  await expect(pinDestination("127.0.0.2", allowed, never)).rejects.toThrow(/belongs to this machine/);
});

test("a name is resolved once, and only an allowed address of it is pinned", async () => {
  let count = 0;
  const resolve = async () => {
    count += 1;
    return ["127.0.0.1", "203.0.113.9"];
  };
  expect(await pinDestination("hooks.example.org", [], resolve)).toEqual({
    address: "203.0.113.9",
    family: 4,
  });
  expect(count).toBe(1);
  await expect(pinDestination("rebind.example.org", [], async () => ["::ffff:7f00:1"])).rejects.toThrow(
    /127\.0\.0\.1/,
  );
});

test("a name that cannot be resolved may be resolved later", async () => {
  await expect(pinDestination("gone.example.org", [], never)).rejects.toMatchObject({ code: "unavailable" });
});
