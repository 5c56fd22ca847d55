/** Entry point of the hashing thread: hashes blocks of shared memory in the order in which they are named. */
import { createHash, type Hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { BLOCK_BYTES, type HashAnswer, type HashRequest } from "./messages.ts";

interface Open {
  readonly md5: Hash;
  readonly sha256: Hash | null;
}

const memory = workerData as Uint8Array;
const open = new Map<number, Open>();

parentPort?.on("message", (request: HashRequest) => {
  if (request.type === "abandon") {
    open.delete(request.id);
    return;
  }
  const { id, at, length, hasSha256, isLast } = request;
  const startedMs = performance.now();
  const hash = open.get(id) ?? { md5: createHash("md5"), sha256: hasSha256 ? createHash("sha256") : null };
  const bytes = memory.subarray(at * BLOCK_BYTES, at * BLOCK_BYTES + length);
  hash.md5.update(bytes);
  hash.sha256?.update(bytes);
  if (isLast) open.delete(id);
  else open.set(id, hash);
  const digests = isLast ? { md5: hash.md5.digest(), sha256: hash.sha256?.digest() ?? null } : null;
  parentPort?.postMessage({ id, at, busyMs: performance.now() - startedMs, digests } satisfies HashAnswer);
});
