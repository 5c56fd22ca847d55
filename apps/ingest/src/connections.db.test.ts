import { connect } from "node:net";
import { BATCH_CONTENT_TYPE } from "@stashlight/telemetry";
import { afterEach, expect, test, vi } from "vitest";
import type { Limits } from "./limits.ts";
import { enrolTestNode, openTestIngest, send, type TestIngest } from "./testing/harness.ts";

let ingest: TestIngest;

afterEach(() => ingest.close());

/** Opens a connection on which a batch of this size has begun to arrive. */
async function beginBatch(bytes: number, limits: Partial<Limits> = {}) {
  ingest = await openTestIngest(limits);
  const { key } = await enrolTestNode(ingest, "pod-1");
  const socket = connect(Number(new URL(ingest.origin).port), "127.0.0.1");
  socket.write(
    `POST /v1/batches HTTP/1.1\r\nHost: ingest\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${BATCH_CONTENT_TYPE}\r\nContent-Length: ${bytes}\r\n\r\nhalf`,
  );
  return socket;
}

test("a body that arrives too slowly is cut off and may be retried", async () => {
  const timeouts = { headersTimeoutMs: 200, requestTimeoutMs: 200, timeoutsCheckedEveryMs: 50 };
  const socket = await beginBatch(100, timeouts);
  let text = "";
  for await (const chunk of socket) text += chunk;
  expect(text).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 5\r\n/);
});

test("a client that disconnects while it sends leaves no state behind", async () => {
  const waitingBytes = async () => {
    const { text } = await send(ingest.origin, "GET", "/metrics");
    return Number(/^stashlight_ingest_waiting_bytes (\d+)$/m.exec(text)?.[1]);
  };
  const socket = await beginBatch(5000);
  await vi.waitFor(async () => expect(await waitingBytes()).toBe(5000));
  socket.destroy();
  await vi.waitFor(async () => expect(await waitingBytes()).toBe(0));
  expect(ingest.errors).toEqual([]);
});

test("senders of batches beyond the ingest's memory are asked to retry", async () => {
  const socket = await beginBatch(5000, { waitingBytesMax: 6000 });
  await vi.waitFor(async () => {
    const { text } = await send(ingest.origin, "GET", "/metrics");
    expect(text).toMatch(/^stashlight_ingest_waiting_bytes 5000$/m);
  });
  const { key } = await enrolTestNode(ingest, "pod-2");
  const answer = await send(
    ingest.origin,
    "POST",
    "/v1/batches",
    { authorization: `Bearer ${key}`, "content-type": BATCH_CONTENT_TYPE, "content-length": 2000 },
    new Uint8Array(2000),
  );
  expect(answer.status).toBe(503);
  expect(answer.headers["retry-after"]).toBe("2");
  socket.destroy();
});
