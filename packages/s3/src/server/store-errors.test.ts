/** Tests the answers that clients get when the store fails. */
import { once } from "node:events";
import { connect } from "node:net";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { StashlightError } from "@stashlight/contracts/errors";
import { afterEach, expect, test, vi } from "vitest";
import { S3Error } from "../errors.ts";
import type { ObjectStore } from "../store.ts";
import { awsClientOf } from "../testing/aws-client.ts";
import { startEdge, type TestEdge } from "../testing/start-edge.ts";

let edge: TestEdge;
let s3: S3Client;

async function start(overrides: Partial<ObjectStore>): Promise<void> {
  edge = await startEdge({ overrides, limits: { idleTimeoutMs: 300 } });
  s3 = awsClientOf(edge);
  await s3.send(new CreateBucketCommand({ Bucket: "bucket" }));
}

afterEach(async () => {
  s3.destroy();
  await edge.close();
});

test.each([
  [new Error("secret details"), "InternalError", 500],
  [new StashlightError("unavailable", "inner words", { retryAfterSeconds: 3 }), "SlowDown", 503],
  [new S3Error("ConditionalRequestConflict"), "ConditionalRequestConflict", 409],
])("an error %s of the store is answered as %s", async (thrown, name, status) => {
  await start({
    putObject: async () => {
      throw thrown;
    },
  });
  const error = await s3
    .send(new PutObjectCommand({ Bucket: "bucket", Key: "k", Body: "x" }))
    .catch((e) => e);
  expect(error).toMatchObject({ name, $metadata: { httpStatusCode: status } });
  if (status >= 500) expect(error.message).not.toMatch(/secret|inner/);
  await vi.waitFor(() => expect(edge.requests.at(-1)).toMatchObject({ operation: "PutObject", status }));
  if (name !== "ConditionalRequestConflict") expect(edge.requests.at(-1)?.error?.cause).toBe(thrown);
});

test("an object whose read fails midway breaks the connection, so that no client takes it for complete", async () => {
  const attributes = { contentType: "text/plain", contentHeaders: {}, userMetadata: {}, tags: [] };
  const info = {
    sizeBytes: 2_000_000,
    etag: "e",
    modifiedMs: 0,
    attributes,
    checksum: null,
    completion: null,
    encryption: { kind: "none" as const },
  };
  await start({
    getObject: async () => ({
      info,
      partSizesBytes: null,
      read: async function* () {
        yield Buffer.alloc(1_000_000);
        throw new Error("a shard is gone");
      },
    }),
  });
  const got = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "k" }));
  await expect(got.Body?.transformToByteArray()).rejects.toThrow();
  await vi.waitFor(() => expect(edge.requests.at(-1)).toMatchObject({ isCut: true }));
});

test("a client that does not read its answer is cut off, and the store stops reading", async () => {
  let signal: AbortSignal | undefined;
  const attributes = { contentType: "text/plain", contentHeaders: {}, userMetadata: {}, tags: [] };
  const info = {
    sizeBytes: 1e9,
    etag: "e",
    modifiedMs: 0,
    attributes,
    checksum: null,
    completion: null,
    encryption: { kind: "none" as const },
  };
  await start({
    getObject: async (context) => {
      signal = context.signal;
      return {
        info,
        partSizesBytes: null,
        read: async function* () {
          for (;;) yield Buffer.alloc(1_000_000);
        },
      };
    },
  });
  const url = new URL(await getSignedUrl(s3, new GetObjectCommand({ Bucket: "bucket", Key: "k" })));
  const socket = connect(edge.port, "127.0.0.1").pause();
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`);
  await vi.waitFor(
    () => expect(edge.requests.at(-1)).toMatchObject({ operation: "GetObject", isCut: true }),
    5000,
  );
  await vi.waitFor(() => expect(signal?.aborted).toBe(true), 5000);
  socket.destroy();
});

test("a copy of an object that is shorter than announced is not stored", async () => {
  const attributes = { contentType: "text/plain", contentHeaders: {}, userMetadata: {}, tags: [] };
  const info = {
    sizeBytes: 2_000_000,
    etag: "e",
    modifiedMs: 0,
    attributes,
    checksum: null,
    completion: null,
    encryption: { kind: "none" as const },
  };
  await start({
    getObject: async () => ({
      info,
      partSizesBytes: null,
      read: async function* () {
        yield Buffer.alloc(1_999_999);
      },
    }),
  });
  const copy = new CopyObjectCommand({ Bucket: "bucket", Key: "copy", CopySource: "/bucket/short" });
  await expect(s3.send(copy)).rejects.toThrow();
  expect(edge.store.find({ bucket: "bucket", key: "copy" })).toBeUndefined();
});

test("a store that does not read a body leaves no client waiting", async () => {
  await start({
    putObject: async () => ({ modifiedMs: 0, path: "direct", etag: null, encryption: { kind: "none" } }),
  });
  const put = new PutObjectCommand({ Bucket: "bucket", Key: "k", Body: Buffer.alloc(3_000_000) });
  const error = await s3.send(put).catch((thrown) => thrown);
  expect(error.$metadata.httpStatusCode).toBe(500);
});
