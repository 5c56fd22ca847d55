/** Sends requests that are signed by hand at a fixed time, over a raw connection. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { S3Limits } from "../limits.ts";
import type { AccessKey } from "../signature/access-key.ts";
import { openConnection, type RawAnswer, type RawConnection, requestHead } from "./raw-connection.ts";
import { type SignedHeaders, signHeaders } from "./signer.ts";
import { startEdge, type TestEdge, type TestEdgeOptions, testKeys } from "./start-edge.ts";

export const wireTime = { nowMs: Date.UTC(2026, 0, 31, 12), timestamp: "20260131T120000Z" };
export const HASH_OF_NOTHING = createHash("sha256").update("").digest("hex");

/** Starts an edge that has a bucket named "bucket". */
export async function startWireEdge(
  limits: Partial<S3Limits> = {},
  options: Pick<TestEdgeOptions, "admit" | "baseDomains"> = {},
): Promise<TestEdge> {
  const nowMs = () => wireTime.nowMs;
  const edge = await startEdge({ nowMs, limits: { lingerMs: 300, ...limits }, ...options });
  const connection = openConnection(edge.port);
  const { status } = await sendSigned(connection, "PUT", "/bucket", {}).answer();
  connection.close();
  assert.equal(status, 200, "The bucket of the test must be there.");
  return edge;
}

export function signedHeaders(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  key: AccessKey = testKeys.writer,
): SignedHeaders {
  const { timestamp } = wireTime;
  const standard = {
    host: "127.0.0.1",
    "x-amz-date": timestamp,
    "x-amz-content-sha256": HASH_OF_NOTHING,
  };
  return signHeaders({ method, url, key, timestamp, headers: { ...standard, ...headers } });
}

export function sendSigned(
  connection: RawConnection,
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = "",
): RawConnection {
  connection.write(requestHead(method, url, signedHeaders(method, url, headers).headers));
  connection.write(body);
  return connection;
}

/** CRC-32 in the form of x-amz-checksum-crc32. */
export function crc32Text(bytes: Buffer): string {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(bytes));
  return crc.toString("base64");
}

export interface ExchangeOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** A body whose hash is not signed. */
  readonly body?: string | Buffer;
  readonly key?: AccessKey;
}

/** Sends one request over its own connection. */
export async function exchange(
  edge: Pick<TestEdge, "port">,
  method: string,
  url: string,
  { headers = {}, body = "", key }: ExchangeOptions = {},
): Promise<RawAnswer> {
  const connection = openConnection(edge.port);
  const ofBody = {
    "content-length": String(Buffer.byteLength(body)),
    "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
  };
  const signed = signedHeaders(method, url, { ...(body && ofBody), ...headers }, key);
  try {
    connection.write(requestHead(method, url, signed.headers));
    connection.write(body);
    return await connection.answer();
  } finally {
    connection.close();
  }
}
