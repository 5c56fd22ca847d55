/** Tests requests that are rejected before any work is done for them. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { S3Error } from "../errors.ts";
import { openConnection, type RawConnection } from "../testing/raw-connection.ts";
import { testKeys } from "../testing/start-edge.ts";
import { useWireEdge } from "../testing/use-edge.ts";
import { sendSigned } from "../testing/wire.ts";
import type { AdmissionRequest } from "./options.ts";

const MIB = 1_048_576;
const asked: AdmissionRequest[] = [];
let left = 0;
let isBusy = false;
let connection: RawConnection;
const edge = await useWireEdge(
  {},
  {
    admit: async (request) => {
      asked.push(request);
      if (isBusy) throw new S3Error("SlowDown", "Busy.", { headers: { "retry-after": "3" } });
      return () => {
        left += 1;
      };
    },
  },
);

beforeEach(() => {
  connection = openConnection(edge.port);
  asked.length = 0;
  left = 0;
  isBusy = true;
});

afterEach(() => connection.close());

const unsigned = (bytes: number) => {
  return { "content-length": String(bytes), "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
};

describe("an overloaded vault answers 503 SlowDown with Retry-After", () => {
  test("to a client that sent Expect: 100-continue, which then never sends its body", async () => {
    sendSigned(connection, "PUT", "/bucket/asked", { ...unsigned(MIB), expect: "100-continue" });
    const { status, headers, body } = await connection.answer();
    expect([status, headers.get("retry-after")]).toEqual([503, "3"]);
    expect(body).toContain("<Code>SlowDown</Code>");
    await connection.closed();
  });

  test("to a client that has sent only the head of a large request, and closes its connection", async () => {
    sendSigned(connection, "PUT", "/bucket/large", unsigned(100 * MIB));
    const { status, headers } = await connection.answer();
    expect([status, headers.get("connection")]).toEqual([503, "close"]);
    await connection.closed();
  });

  test("drops a small body, so that the connection carries the next request", async () => {
    sendSigned(connection, "PUT", "/bucket/small", unsigned(1000), Buffer.alloc(1000));
    expect((await connection.answer()).status).toBe(503);
    isBusy = false;
    sendSigned(connection, "PUT", "/bucket/small", unsigned(4), "body");
    expect((await connection.answer()).status).toBe(200);
    expect(edge.store.find({ bucket: "bucket", key: "small" })?.bytes.toString()).toBe("body");
  });

  test("but only to a client that is allowed to make the request", async () => {
    sendSigned(connection, "PUT", "/bucket/a", { ...unsigned(0), authorization: "none" });
    expect((await connection.answer()).status).not.toBe(503);
    expect(asked).toEqual([]);
  });
});

test("admission gets the operation, access key and announced bytes, and is notified when the request ends", async () => {
  isBusy = false;
  sendSigned(connection, "PUT", "/bucket/known", unsigned(4), "body");
  expect((await connection.answer()).status).toBe(200);
  sendSigned(connection, "GET", "/bucket/none", {});
  expect((await connection.answer()).status).toBe(404);
  expect(asked).toMatchObject([
    { operation: "PutObject", accessKeyId: testKeys.writer.id, bodyBytes: 4 },
    { operation: "GetObject", accessKeyId: testKeys.writer.id, bodyBytes: 0 },
  ]);
  expect(left).toBe(2);
});
