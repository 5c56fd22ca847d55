/** The space of large objects is freed, but not while they are read. */
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, readBody } from "../harness/client.ts";
import { useSecondCoordinator } from "../harness/second-coordinator.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const Bucket = "space";
const WITHIN_MS = 60_000;
/** More than the sockets can buffer, so that a stalled read has pieces left. */
const READ_BYTES = 24 * MIB;

const second = await useSecondCoordinator();
const used = useVault({
  processes: "one a node",
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 16 },
  amend: (file) => second.amend({ ...file, collection: { graceMs: 3000, sweepGraceMs: 6000 } }),
});
let other: S3Client;

beforeAll(async () => {
  other = createClient(used.vault, { endpoint: second.endpoint });
  await used.s3.send(new CreateBucketCommand({ Bucket }));
});

afterAll(() => other?.destroy());

async function put(s3: S3Client, Key: string, sizeBytes = 7 * MIB): Promise<Buffer> {
  const Body = randomBytes(sizeBytes);
  await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  return Body;
}

const remove = (s3: S3Client, Key: string) => s3.send(new DeleteObjectCommand({ Bucket, Key }));

/** Keys of the pieces that the object has at present. */
async function listPieces(key: string): Promise<string[]> {
  const query = new URLSearchParams({ bucket: Bucket, key });
  const page = await used.vault.askAdmin("coordinator-1", `/pieces?${query}`);
  return (JSON.parse(page?.text ?? "") as { keys: string[] }).keys;
}

/** Number of shards of these pieces on pods and stash. */
async function countShards(pieceKeys: readonly string[]): Promise<number> {
  const query = new URLSearchParams({ bucket: ".pieces" });
  for (const key of pieceKeys) query.append("key", key);
  const nodeIds = [...used.vault.nodeIdsOf("pod"), ...used.vault.nodeIdsOf("stash")];
  const pages = await Promise.all(nodeIds.map((id) => used.vault.askAdmin(id, `/uploads?${query}`)));
  const shards = pages.flatMap(
    (page) => (JSON.parse(page?.text ?? "") as { shards: { kind: string }[] }).shards,
  );
  return shards.filter(({ kind }) => kind === "object").length;
}

async function gone(pieceKeys: readonly string[]): Promise<void> {
  const look = () => countShards(pieceKeys);
  await until("the pieces are gone", async () => (await look()) === 0, WITHIN_MS, look);
}

async function readMetric(nodeId: string, metric: string): Promise<number> {
  const text = (await used.vault.askAdmin(nodeId, "/metrics"))?.text ?? "";
  return Number(new RegExp(`^${metric} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

test("deleted and overwritten objects and aborted uploads free their space", async () => {
  const { s3 } = used;
  await put(s3, "deleted");
  await put(s3, "overwritten");
  await put(s3, "shrunk");
  const pieces = (await Promise.all(["deleted", "overwritten", "shrunk"].map(listPieces))).flat();
  expect(pieces).toHaveLength(12);
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "aborted" }));
  for (const PartNumber of [1, 1, 2]) {
    const Body = randomBytes(5 * MIB);
    await s3.send(new UploadPartCommand({ Bucket, Key: "aborted", UploadId, PartNumber, Body }));
  }
  await remove(s3, "deleted");
  const overwritten = await put(s3, "overwritten");
  await put(s3, "shrunk", 10);
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key: "aborted", UploadId }));
  expect(await readMetric("coordinator-1", "stashlight_pieces_waiting_bytes")).toBeGreaterThan(0);
  await gone(pieces);
  const collectedCount = () => readMetric("coordinator-1", "stashlight_pieces_collected_total");
  await until(
    "the parts are gone",
    async () => (await collectedCount()) === 12 + 9,
    WITHIN_MS,
    collectedCount,
  );
  expect(await readMetric("coordinator-1", "stashlight_pieces_collected_bytes_total")).toBe(36 * MIB);
  expect(await readMetric("coordinator-1", "stashlight_pieces_waiting_bytes")).toBe(0);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "overwritten" }));
  expect((await readBody(Body)).equals(overwritten)).toBe(true);
  await remove(s3, "overwritten");
});

/** Starts a read and receives only its beginning. */
async function beginRead(s3: S3Client, Key: string): Promise<{ finish: () => Promise<Buffer> }> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  const stream = Body as Readable;
  const chunks: Buffer[] = [];
  const iterator = stream[Symbol.asyncIterator]();
  const first = await iterator.next();
  chunks.push(first.value as Buffer);
  return {
    finish: async () => {
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        chunks.push(next.value);
      return Buffer.concat(chunks);
    },
  };
}

test("a slow read gets all bytes of an object that is deleted meanwhile, at its own coordinator or another", async () => {
  const { s3 } = used;
  const body = await put(s3, "read", READ_BYTES);
  const pieces = await listPieces("read");
  const readings = [await beginRead(s3, "read"), await beginRead(other, "read")];
  // Waits until the other coordinator's lease names the read.
  const leased = () => readMetric("coordinator-2", "stashlight_leased_holds");
  await until("the read is leased", async () => (await leased()) === 1, WITHIN_MS, leased);
  await remove(s3, "read");
  // Ensures that the collector has processed the deletion before.
  await put(s3, "after", 3 * MIB);
  const later = await listPieces("after");
  await remove(s3, "after");
  await gone(later);
  expect(await countShards(pieces)).toBeGreaterThan(0);
  for (const reading of readings) expect((await reading.finish()).equals(body)).toBe(true);
  await gone(pieces);
});

test("another coordinator collects the garbage of a killed one", async () => {
  await put(other, "left");
  await put(other, "kept");
  const pieces = await listPieces("left");
  await remove(other, "left");
  await used.vault.kill(["coordinator-2"]);
  expect(await countShards(pieces)).toBeGreaterThan(0);
  await gone(pieces);
  expect(await countShards(await listPieces("kept"))).toBeGreaterThan(0);
});
