import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { TEST_CREDENTIALS, testTarget } from "../testing/index.ts";
import { createSdkUploader, type SdkUploader } from "./sdk-uploader.ts";

const { signal } = new AbortController();
const upload = {
  key: "tests/a b",
  body: { bytes: Buffer.from("hello"), md5Hex: "", sha256Hex: "" },
} as Parameters<SdkUploader["put"]>[0];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Starts a store that answers with `respond`, and returns its port and the requests that it received. */
async function startStore(respond: RequestListener = (_, response) => response.end()) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume().once("end", () => respond(request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

async function uploaderTo(
  port: number,
  target: Parameters<typeof testTarget>[1] = {},
  timeoutMs = 30_000,
): Promise<SdkUploader> {
  const uploader = await createSdkUploader(
    testTarget(`http://store.test:${port}`, target),
    TEST_CREDENTIALS,
    timeoutMs,
  );
  closing.push(async () => uploader.close());
  return uploader;
}

test.each([
  ["path", "store.test", "/bench/tests/a%20b"],
  ["host", "bench.store.test", "/tests/a%20b"],
] as const)(
  "an endpoint addressed by %s gets requests with the bucket in the path or in the host",
  async (addressing, host, path) => {
    const { port, requests } = await startStore((_, response) => response.setHeader("etag", '"e"').end());
    const uploader = await uploaderTo(port, { addressing });
    expect(await uploader.put(upload, signal)).toMatchObject({ etag: '"e"', failure: null });
    const [request] = requests;
    expect(request?.headers.host).toBe(`${host}:${port}`);
    expect(request?.url?.split("?")[0]).toBe(path);
  },
);

test("uploads share one connection, to the address that was checked, and carry the endpoint's headers", async () => {
  const { port, requests } = await startStore();
  const uploader = await uploaderTo(port, { putHeaders: { "x-amz-storage-class": "ONEZONE_IA" } });
  for (let count = 0; count < 3; count += 1) await uploader.put(upload, signal);
  expect(uploader.openedCount).toBe(1);
  expect(requests.map(({ headers }) => headers["x-amz-storage-class"])).toEqual(Array(3).fill("ONEZONE_IA"));
  expect(new Set(requests.map(({ socket }) => socket)).size).toBe(1);
});

const errorBody = (code: string): string => `<Error><Code>${code}</Code><Message>Hidden.</Message></Error>`;

test.each([
  ["the store's code", 503, errorBody("SlowDown"), "SlowDown"],
  ["the status, if the code is not a word", 400, errorBody("Go to http://x y"), "Http400"],
])("an upload that is refused is sent once, and fails with %s", async (_, status, body, code) => {
  const { port, requests } = await startStore((_request, response) =>
    response.writeHead(status, { "content-type": "application/xml" }).end(body),
  );
  const uploader = await uploaderTo(port);
  const { failure } = await uploader.put(upload, signal);
  expect(failure).toEqual({ kind: "answered", code, status });
  expect(requests).toHaveLength(1);
});

test("an upload without an answer in time has timed out", async () => {
  const { port } = await startStore(() => undefined);
  const uploader = await uploaderTo(port, {}, 200);
  expect((await uploader.put(upload, signal)).failure).toEqual({ kind: "timed-out", code: "Timeout" });
});

test.each<[string, (socket: Socket) => void]>([
  ["is reset", (socket) => socket.resetAndDestroy()],
  ["ends", (socket) => socket.destroy()],
])("a connection that %s without an answer is broken, and has not timed out", async (_, end) => {
  const { port } = await startStore((request) => end(request.socket));
  const uploader = await uploaderTo(port);
  expect((await uploader.put(upload, signal)).failure).toEqual({ kind: "broken", code: "ECONNRESET" });
});

test("an upload to a store that accepts no connections is broken, with the system's code", async () => {
  const { port } = await startStore();
  for (const close of closing.splice(0)) await close();
  const uploader = await uploaderTo(port);
  expect((await uploader.put(upload, signal)).failure).toEqual({ kind: "broken", code: "ECONNREFUSED" });
});

test("an aborted upload rejects, and is not a failure of the store", async () => {
  const aborting = new AbortController();
  const { port } = await startStore(() => aborting.abort(new Error("lost")));
  const uploader = await uploaderTo(port);
  await expect(uploader.put(upload, aborting.signal)).rejects.toThrow("lost");
});
