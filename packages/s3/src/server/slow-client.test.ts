/** Tests clients that take too long. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openConnection, type RawConnection } from "../testing/raw-connection.ts";
import { useWireEdge } from "../testing/use-edge.ts";
import { sendSigned } from "../testing/wire.ts";

let connection: RawConnection;
const edge = await useWireEdge({
  idleTimeoutMs: 500,
  slowBodyGraceMs: 200,
  bodyBytesPerSecondMin: 100_000,
  headersTimeoutMs: 400,
});

beforeEach(() => {
  connection = openConnection(edge.port);
});

afterEach(() => {
  connection.close();
  // Checks that no invalid request of these tests was stored.
  const { bytes } = edge.store.find({ bucket: "bucket", key: "bad" }) ?? {};
  expect(bytes?.length).toBeUndefined();
});

const send = (method: string, url: string, headers: Record<string, string>, body: string | Buffer = "") =>
  sendSigned(connection, method, url, headers, body);

describe("a slow client", () => {
  const head = { "content-length": "100000", "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };

  test("that stalls within a body gets an error and is cut off", async () => {
    send("PUT", "/bucket/bad", head, "some bytes");
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("RequestTimeout")]);
    await connection.closed();
  });

  test("that crawls is cut off, though it never stalls", async () => {
    send("PUT", "/bucket/bad", head);
    const crawl = setInterval(() => connection.write("x"), 20);
    const answer = await connection.answer().finally(() => clearInterval(crawl));
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("arrived at less than")]);
    await connection.closed();
  });

  test("that does not finish its headers gets an error", async () => {
    connection.write("PUT /bucket/bad HTTP/1.1\r\nHost: x\r\n");
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("RequestTimeout")]);
    expect(answer.headers.get("x-amz-request-id")).toMatch(/^TEST/);
    await connection.closed();
  });
});
