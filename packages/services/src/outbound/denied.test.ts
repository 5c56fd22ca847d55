import { expect, test } from "vitest";
import { findDenied, LOOKUPS_AT_A_TIME } from "./denied.ts";

const destination = (host: string) => ({ id: host, name: host.toUpperCase(), host });

test("denied destinations are listed in the given order, without allowed ones and those without an address", async () => {
  const resolve = async (host: string) => {
    if (host === "gone") throw new Error("no such name");
    return [host === "nas" ? "192.168.0.7" : "8.8.8.8"];
  };
  const hosts = ["10.1.2.3", "public", "gone", "nas", "172.16.0.1"];
  const denied = await findDenied(hosts.map(destination), ["172.16.0.0/12"], { resolve });
  expect(denied).toEqual([
    {
      id: "10.1.2.3",
      name: "10.1.2.3",
      address: "10.1.2.3",
      network: "10.0.0.0/8",
      kind: "a private network",
    },
    { id: "nas", name: "NAS", address: "192.168.0.7", network: "192.168.0.0/16", kind: "a private network" },
  ]);
});

test("a resolver that never answers delays no request and takes few threads", async () => {
  let askedCount = 0;
  const resolve = (): Promise<string[]> => {
    askedCount += 1;
    return new Promise(() => undefined);
  };
  const hosts = ["10.1.2.3", "a", "b", "c", "d"];
  const denied = await findDenied(hosts.map(destination), [], { resolve, patienceMs: 10 });
  expect(denied.map(({ id }) => id)).toEqual(["10.1.2.3"]);
  expect(askedCount).toBe(LOOKUPS_AT_A_TIME);
});
