import { createPublicKey } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createNodeKey, readNodeKey } from "@stashlight/transport";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashAdminToken } from "../config/admin-token.ts";
import { AdminError, type AdminSource, startAdminServer } from "./admin-server.ts";
import { DrillFaults, setFault } from "./drill-faults.ts";
import { isPageProof, NONCE_HEADER, PROOF_HEADER } from "./page-proof.ts";

const TOKEN = "sla_test";
const key = readNodeKey(createNodeKey());
const faults = new DrillFaults();
let unreadiness: string | null = null;
let refusedCount = 0;
const source: AdminSource = {
  refused: () => {
    refusedCount += 1;
  },
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
  const tokenSha256 = hashAdminToken(TOKEN).toString("hex");
  server = await startAdminServer(
    { nodeId: "pod-1", key, host: "127.0.0.1", port: 0, tokenSha256, tls: null },
    source,
  );
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const askAs = async (authorization: string | null, path: string, init: RequestInit = {}) => {
  const headers = { ...init.headers, ...(authorization === null ? {} : { authorization }) };
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    ...init,
    headers,
  });
  return { status: answer.status, text: await answer.text() };
};

const ask = (path: string, init?: RequestInit) => askAs(`Bearer ${TOKEN}`, path, init);

const post = (path: string, body: string, contentType = "application/json") =>
  ask(path, { method: "POST", headers: { "content-type": contentType }, body });

test("a node that is not ready is alive, and reports the reason", async () => {
  unreadiness = "The drive of p0 is opening.";
  expect(await ask("/readyz")).toMatchObject({ status: 503, text: expect.stringContaining(unreadiness) });
  expect(await ask("/healthz")).toMatchObject({ status: 200 });
  unreadiness = null;
  expect(await ask("/readyz")).toMatchObject({ status: 200 });
});

test("a page receives its query, and sends the caller the text of an AdminError only", async () => {
  expect(await ask("/page?key=a%26b&key=c")).toEqual({ status: 200, text: '{"keys":["a&b","c"]}\n' });
  expect(await ask("/busy")).toEqual({ status: 503, text: "Ask again later.\n" });
  expect(await ask("/failing")).toEqual({ status: 500, text: "The request failed.\n" });
});

test("setting a fault on one drive returns the faults of all drives", async () => {
  const answer = await post("/drill/faults", JSON.stringify({ address: "p0", fault: "eio" }));
  expect(answer).toEqual({ status: 200, text: '{"p0":"eio"}\n' });
  expect(faults.at("p0")?.fault).toBe("eio");
});

const right = JSON.stringify({ address: "p0", fault: "hang" });
test.each([
  ["without --drill", "/refused", right, "application/json", 403, "--drill"],
  ["as a form, which any page may send", "/drill/faults", right, "text/plain", 415, "application/json"],
  ["that is not JSON", "/drill/faults", "{", "application/json", 400, "not JSON"],
  [
    "with a field __proto__",
    "/drill/faults",
    '{"__proto__":{}}',
    "application/json",
    400,
    "no field __proto__",
  ],
  ["that is too long", "/drill/faults", " ".repeat(17_000), "application/json", 413, "16384"],
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
  ["whose handler throws", "/broken", "{}", "application/json", 500, "failed"],
  ["to a page", "/healthz", "{}", "application/json", 405, "GET"],
])("a request %s has no effect", async (_, path, body, contentType, status, words) => {
  const answer = await post(path, body, contentType);
  expect(answer).toMatchObject({ status, text: expect.stringContaining(words) });
  expect(answer.text).not.toContain("secret");
  expect(faults.at("p0")?.fault).toBe("eio");
});

const others = [
  ["no token", null],
  ["a wrong token", "Bearer sla_other"],
  ["the token and a further letter", `Bearer ${TOKEN}x`],
  ["the word Bearer and no token", "Bearer "],
  ["a password", `Basic ${Buffer.from(`admin:${TOKEN}`).toString("base64")}`],
  ["the hash of the token", `Bearer ${hashAdminToken(TOKEN).toString("hex")}`],
] as const;

test.each(others)(
  "a request with %s only learns that a node is alive and ready",
  async (_, authorization) => {
    const before = refusedCount;
    expect(await askAs(authorization, "/healthz")).toEqual({ status: 200, text: '{"isAlive":true}\n' });
    expect(refusedCount).toBe(before);
    const pages = [
      "/",
      "/readyz?all",
      "/metrics",
      "/page?key=a",
      "/busy",
      "/healthz?all",
      "/drill/faults",
      "/nowhere",
    ];
    for (const path of pages) {
      const answer = await askAs(authorization, path);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.text).toContain("Authorization: Bearer");
    }
    const body = JSON.stringify({ address: "p0", fault: "slow" });
    const headers = { "content-type": "application/json" };
    for (const path of ["/drill/faults", "/healthz"]) {
      expect(await askAs(authorization, path, { method: "POST", headers, body })).toMatchObject({
        status: 401,
      });
    }
    expect(faults.at("p0")?.fault).not.toBe("slow");
    expect(refusedCount - before).toBe(pages.length + 2);
  },
);

test.each([
  ["ready", null, 200],
  ["not ready", "The drive of p0 is opening.", 503],
] as const)(
  "a load balancer without a token learns that a node is %s, but not why",
  async (_, reason, status) => {
    unreadiness = reason;
    const text = `{"isReady":${status === 200}}\n`;
    expect(await askAs(null, "/readyz")).toEqual({ status, text });
    unreadiness = null;
  },
);

test("a node proves that /healthz is its own by signing the nonce in the request, and signs nothing else", async () => {
  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const fetchProof = async (path: string, nonce: string) => {
    const answer = await fetch(url(path), { headers: { [NONCE_HEADER]: nonce } });
    await answer.text();
    return answer.headers.get(PROOF_HEADER);
  };
  const nonce = "5a".repeat(32);
  const proof = await fetchProof("/healthz", nonce);
  const publicKey = createPublicKey(key);
  expect(isPageProof(publicKey, "pod-1", nonce, proof)).toBe(true);
  expect(isPageProof(publicKey, "pod-2", nonce, proof)).toBe(false);
  expect(isPageProof(publicKey, "pod-1", "5b".repeat(32), proof)).toBe(false);
  for (const text of ["", "5a", "5A".repeat(32), `${nonce}00`])
    expect(await fetchProof("/healthz", text)).toBeNull();
  expect(await fetchProof("/readyz", nonce)).toBeNull();
});
