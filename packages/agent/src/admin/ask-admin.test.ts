import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { askAdmin } from "./ask-admin.ts";

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function listen(answer: RequestListener) {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { host: "127.0.0.1", adminPort: (server.address() as AddressInfo).port };
}

test("the answer of a node is its status and its JSON", async () => {
  const node = await listen((request, response) => {
    response.writeHead(503).end(JSON.stringify({ path: request.url }));
  });
  expect(await askAdmin(node, "/readyz?a=b")).toEqual({
    type: "answered",
    status: 503,
    body: { path: "/readyz?a=b" },
  });
});

test("a node that is down is silent", async () => {
  const node = await listen(() => {});
  await new Promise((resolve) => server?.close(resolve));
  expect(await askAdmin(node, "/")).toEqual({ type: "silent", reason: "ECONNREFUSED" });
});

test.each<[string, RequestListener]>([
  ["answers nothing", () => {}],
  ["breaks off in the midst", (_, response) => void response.writeHead(200).write("{")],
])("a node that %s is waited for as long as was said", async (_, answer) => {
  const node = await listen(answer);
  expect(await askAdmin(node, "/", { timeoutMs: 100 })).toEqual({
    type: "silent",
    reason: "no answer within 0.1 s",
  });
});

test("a question that is given up is answered at once", async () => {
  const given = new AbortController();
  const node = await listen(() => given.abort());
  expect(await askAdmin(node, "/", { signal: given.signal })).toMatchObject({ type: "silent" });
});

test("what is no JSON is no answer", async () => {
  const node = await listen((_, response) => void response.end("<html>"));
  expect(await askAdmin(node, "/")).toMatchObject({ type: "silent" });
});
