import type { KeyObject } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeKey, publicKeyText, readNodeKey } from "@stashlight/transport";
import { afterEach, expect, test } from "vitest";
import { askAdmin } from "./ask-admin.ts";
import { createPageProof, NONCE_HEADER, PROOF_HEADER } from "./page-proof.ts";

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

const access = { token: "sla_test", ca: null };

const key = readNodeKey(createNodeKey());

/** Starts a node that proves its identity with this key, and then answers with this listener. */
async function listen(answer: RequestListener, by: KeyObject = key) {
  return await listenAs("pod-1", answer, by);
}

async function listenAs(nodeId: string, answer: RequestListener, by: KeyObject) {
  server = createServer((request, response) => {
    const proof = createPageProof(by, nodeId, request.headers[NONCE_HEADER]);
    if (proof === null) answer(request, response);
    else response.setHeader(PROOF_HEADER, proof).end("{}");
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { id: "pod-1", publicKey: publicKeyText(key), host: "127.0.0.1", adminPort: port };
}

test("a node's answer has its status and its JSON", async () => {
  const node = await listen((request, response) => {
    response.writeHead(503).end(JSON.stringify({ path: request.url, as: request.headers.authorization }));
  });
  expect(await askAdmin(node, "/readyz?a=b", { access })).toEqual({
    type: "answered",
    status: 503,
    body: { path: "/readyz?a=b", as: "Bearer sla_test" },
  });
});

test("a node that is down counts as silent", async () => {
  const node = await listen(() => {});
  await new Promise((resolve) => server?.close(resolve));
  expect(await askAdmin(node, "/", { access })).toEqual({ type: "silent", reason: "ECONNREFUSED" });
});

test.each<[string, RequestListener]>([
  ["answers nothing", () => {}],
  ["stops in the middle of its answer", (_, response) => void response.writeHead(200).write("{")],
])("a node that %s counts as silent after the timeout", async (_, answer) => {
  const node = await listen(answer);
  expect(await askAdmin(node, "/", { access, timeoutMs: 100 })).toEqual({
    type: "silent",
    reason: "no answer within 0.1 s",
  });
});

test("a cancelled request counts as unanswered", async () => {
  const given = new AbortController();
  const node = await listen(() => given.abort());
  expect(await askAdmin(node, "/", { access, signal: given.signal })).toMatchObject({ type: "silent" });
});

test("a reply that is not JSON counts as no answer", async () => {
  const node = await listen((_, response) => void response.end("<html>"));
  expect(await askAdmin(node, "/", { access })).toMatchObject({ type: "silent" });
});

test("the token is sent only to a node that has proved its identity, on the same connection", async () => {
  const shown: (string | undefined)[] = [];
  const answer: RequestListener = (request, response) => {
    shown.push(request.headers.authorization);
    response.end("{}");
  };
  const another = { type: "silent", reason: "another program answers on its port" };
  const otherKey = await listen(answer, readNodeKey(createNodeKey()));
  expect(await askAdmin(otherKey, "/readyz", { access })).toEqual(another);
  server?.close();
  const otherName = await listenAs("pod-2", answer, key);
  expect(await askAdmin(otherName, "/readyz", { access })).toEqual(another);
  server?.close();
  const unknown = { ...(await listen(answer)), publicKey: undefined };
  expect(await askAdmin(unknown, "/readyz", { access })).toMatchObject({ type: "silent" });
  server?.close();
  const leaving = await listen(answer);
  server?.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
  expect(await askAdmin(leaving, "/readyz", { access })).toEqual({
    type: "silent",
    reason: "it closed the connection after its proof",
  });
  expect(shown).toEqual([]);
});
