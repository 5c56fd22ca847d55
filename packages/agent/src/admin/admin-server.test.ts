import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminError, type AdminSource, startAdminServer } from "./admin-server.ts";
import { DrillFaults, setFault } from "./drill-faults.ts";

const faults = new DrillFaults();
let unreadiness: string | null = null;
const source: AdminSource = {
  health: () => ({ nodeId: "pod-1" }),
  unreadiness: () => unreadiness,
  pages: new Map<string, (query: URLSearchParams) => object | Promise<object>>([
    ["/page", async (query) => ({ keys: query.getAll("key") })],
    [
      "/busy",
      async () => {
        throw new AdminError(503, "Ask again later.");
      },
    ],
    ["/failing", () => Promise.reject(new Error("a secret"))],
  ]),
  actions: new Map([
    ["/drill/faults", (body: unknown) => setFault(faults, body)],
    ["/refused", (body: unknown) => setFault(null, body)],
    [
      "/broken",
      () => {
        throw new Error("a secret");
      },
    ],
  ]),
};
let server: Awaited<ReturnType<typeof startAdminServer>>;

beforeAll(async () => {
  faults.wrap("p0");
  server = await startAdminServer("127.0.0.1", 0, source);
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
  return { status: answer.status, text: await answer.text() };
};

const post = (path: string, body: string, contentType = "application/json") =>
  ask(path, { method: "POST", headers: { "content-type": contentType }, body });

test("a node that waits for something says so, and lives all the same", async () => {
  unreadiness = "The drive of p0 is opening.";
  expect(await ask("/readyz")).toMatchObject({ status: 503, text: expect.stringContaining(unreadiness) });
  expect(await ask("/healthz")).toMatchObject({ status: 200 });
  unreadiness = null;
  expect(await ask("/readyz")).toMatchObject({ status: 200 });
});

test("a page is given its query, and says what is wrong only where that is the caller's", async () => {
  expect(await ask("/page?key=a%26b&key=c")).toEqual({ status: 200, text: '{"keys":["a&b","c"]}\n' });
  expect(await ask("/busy")).toEqual({ status: 503, text: "Ask again later.\n" });
  expect(await ask("/failing")).toEqual({ status: 500, text: "It did not work.\n" });
});

test("a fault is set on one drive, and told with those of all", async () => {
  const answer = await post("/drill/faults", JSON.stringify({ address: "p0", fault: "eio" }));
  expect(answer).toEqual({ status: 200, text: '{"p0":"eio"}\n' });
  expect(faults.at("p0")?.fault).toBe("eio");
});

const right = JSON.stringify({ address: "p0", fault: "hang" });
test.each([
  ["without --drill", "/refused", right, "application/json", 403, "--drill"],
  ["as a form, which any page may send", "/drill/faults", right, "text/plain", 415, "application/json"],
  ["that is not JSON", "/drill/faults", "{", "application/json", 400, "not JSON"],
  ["that is too long", "/drill/faults", " ".repeat(5000), "application/json", 413, "4096"],
  [
    "of an unknown fault",
    "/drill/faults",
    '{"address":"p0","fault":"fire"}',
    "application/json",
    400,
    "enospc",
  ],
  [
    "of another node's drive",
    "/drill/faults",
    '{"address":"p1","fault":"eio"}',
    "application/json",
    404,
    "p1",
  ],
  ["that breaks us", "/broken", "{}", "application/json", 500, "did not work"],
  ["to a page", "/healthz", "{}", "application/json", 405, "GET"],
])("a request %s changes nothing", async (_, path, body, contentType, status, words) => {
  const answer = await post(path, body, contentType);
  expect(answer).toMatchObject({ status, text: expect.stringContaining(words) });
  expect(answer.text).not.toContain("secret");
  expect(faults.at("p0")?.fault).toBe("eio");
});
