import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { zstdDecompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BATCH_CONTENT_TYPE, postBatch } from "./http-post.ts";

const batch = new TextEncoder().encode("a batch ".repeat(100));

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

beforeEach(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    answer(request, response, Buffer.concat(chunks));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const post = (changes: { timeoutMs?: number; origin?: string } = {}) => {
  const { port } = server.address() as AddressInfo;
  const clock = [1000, 1200];
  return postBatch(
    {
      origin: `http://127.0.0.1:${port}`,
      key: () => "node-key",
      timeoutMs: 5000,
      nowMs: () => clock.shift() ?? 0,
      ...changes,
    },
    batch,
  );
};

const answerWith =
  (status: number, text: string, headers: Record<string, string> = {}): typeof answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(text);

test("a batch is posted whole and compressed, with the node's key and clock", async () => {
  let seen: { headers: IncomingMessage["headers"]; url: string | undefined; body: Buffer } | undefined;
  answer = ({ headers, url }, response, body) => {
    seen = { headers, url, body };
    response.end('{"receivedMs": 1300}');
  };
  // Sent at 1,000 and answered at 1,200 by the local clock, so received at about 1,100, which was 1,300 on the ingest's
  // clock.
  expect(await post()).toEqual({ type: "accepted", skewMs: 200 });
  expect(seen?.url).toBe("/v1/batches");
  expect(seen?.headers).toMatchObject({
    authorization: "Bearer node-key",
    "content-type": BATCH_CONTENT_TYPE,
    "content-encoding": "zstd",
    "x-stashlight-sent-ms": "1000",
  });
  expect(new Uint8Array(zstdDecompressSync(seen?.body ?? Buffer.alloc(0)))).toEqual(batch);
  expect(seen?.body.length).toBeLessThan(batch.length);
});

test.each([
  [503, "3", 3000],
  [429, "0.5", 500],
  [503, "", 10_000],
  [503, "soon", 10_000],
  [503, "-1", 10_000],
  [429, "999999", 600_000],
])("status %i with Retry-After %j causes a wait of %i ms", async (status, retryAfter, afterMs) => {
  answer = answerWith(status, "", retryAfter === "" ? {} : { "retry-after": retryAfter });
  expect(await post()).toEqual({ type: "again", afterMs });
});

test.each([
  [401, '{"message":"The key of this node was revoked."}', "The key of this node was revoked."],
  [413, "<html>", "The ingest answered 413."],
  [400, "null", "The ingest answered 400."],
])("status %i with %j refuses the batch for good", async (status, text, reason) => {
  answer = answerWith(status, text);
  expect(await post()).toEqual({ type: "refused", reason });
});

test.each([
  [200, "<html>welcome</html>", "not an ingest"],
  [200, '{"receivedMs":"now"}', "not an ingest"],
  [302, "", "answered 302"],
  [500, "", "answered 500"],
  [200, `{"receivedMs": 1, "x": "${"x".repeat(70_000)}"}`, "longer than"],
])("an unexpected answer with status %i keeps the batch", async (status, text, words) => {
  answer = answerWith(status, text);
  expect(await post()).toEqual({ type: "unreachable", reason: expect.stringContaining(words) });
});

test("no answer, a broken answer and no listener have their own reasons, and keep the batch", async () => {
  answer = () => {};
  expect(await post({ timeoutMs: 100 })).toEqual({
    type: "unreachable",
    reason: expect.stringContaining("no answer within 0.1 s"),
  });
  answer = (_, response) => {
    response.writeHead(200, { "content-length": 100 }).write("half");
    response.destroy();
  };
  expect(await post()).toEqual({
    type: "unreachable",
    reason: expect.stringMatching(/aborted|hang up|reset/i),
  });
  expect(await post({ origin: "http://127.0.0.1:1" })).toEqual({
    type: "unreachable",
    reason: expect.stringContaining("ECONNREFUSED"),
  });
});
