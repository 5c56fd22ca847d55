/** Entry point of the hashing thread: hashes segments in shared memory in the order in which they are queued. */
import { createHash, type Hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { ChunkHashes } from "./body-hash.ts";
import type { HashAnswer, HashThreadData } from "./messages.ts";
import {
  ABANDONS,
  ENDS_BODY,
  ENDS_CHUNK,
  HAS_SHA256,
  IN_CHUNK,
  type Segment,
  SegmentQueue,
} from "./segment-queue.ts";

interface Open {
  readonly md5: Hash;
  readonly sha256: Hash | null;
  readonly chunks: ChunkHashes;
  busyMs: number;
}

const { queue, blocks } = workerData as HashThreadData;
const memory = new Uint8Array(blocks);
const segments = new SegmentQueue(queue);
const open = new Map<number, Open>();

function hash({ id, address, length, flags }: Segment): void {
  if ((flags & ABANDONS) !== 0) {
    open.delete(id);
    return;
  }
  const startedMs = performance.now();
  const body = open.get(id) ?? openBody(id, (flags & HAS_SHA256) !== 0);
  const bytes = memory.subarray(address, address + length);
  body.md5.update(bytes);
  body.sha256?.update(bytes);
  if ((flags & IN_CHUNK) !== 0) body.chunks.update(bytes, (flags & ENDS_CHUNK) !== 0);
  body.busyMs += performance.now() - startedMs;
  if ((flags & ENDS_BODY) !== 0) answer(id, body);
}

function openBody(id: number, hasSha256: boolean): Open {
  const sha256 = hasSha256 ? createHash("sha256") : null;
  const body = { md5: createHash("md5"), sha256, chunks: new ChunkHashes(), busyMs: 0 };
  open.set(id, body);
  return body;
}

function answer(id: number, { md5, sha256, chunks, busyMs }: Open): void {
  open.delete(id);
  const digests = { md5: md5.digest(), sha256: sha256?.digest() ?? null, chunkSha256s: chunks.digests };
  parentPort?.postMessage({ id, ...digests, busyMs } satisfies HashAnswer);
}

for (;;) segments.next(hash);
