/**
 * A thread that hashes bodies, to relieve the one with the event loop. Bytes reach it in blocks of shared memory; a
 * body reserves its blocks before it arrives, so it never waits for one. OpenSSL takes half a millisecond to hash 256
 * KiB, as long as everything else that a coordinator does for an upload of that size.
 */
import { Worker } from "node:worker_threads";
import { resolveEntry } from "@stashlight/contracts/process";
import type { BodyHash, HashResult } from "./body-hash.ts";
import { BLOCK_BYTES, type HashAnswer, type HashRequest } from "./messages.ts";

const BLOCK_COUNT = 32;

/** A hash that has neither been digested nor abandoned. */
interface Open {
  busyMs: number;
  awaited: { readonly resolve: (result: HashResult) => void; readonly reject: (error: Error) => void } | null;
}

export class HashThread {
  readonly #memory = new Uint8Array(new SharedArrayBuffer(BLOCK_BYTES * BLOCK_COUNT));
  /** Indexes of blocks that no hash has reserved. */
  readonly #free: number[] = Array.from({ length: BLOCK_COUNT }, (_, at) => at);
  readonly #worker: Worker;
  readonly #open = new Map<number, Open>();
  #nextId = 0;
  #failure: Error | null = null;

  constructor() {
    const { file, args } = resolveEntry("hash-thread", new URL("./thread.ts", import.meta.url));
    this.#worker = new Worker(file, {
      argv: [...args],
      workerData: this.#memory,
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
    });
    this.#worker.on("message", (answer: HashAnswer) => this.#answered(answer));
    this.#worker.on("error", (error) => this.#failed(error as Error));
    this.#worker.unref();
  }

  /** Returns null if too few blocks are free, because the thread is then overloaded. */
  open(sizeBytes: number, hasSha256: boolean): BodyHash | null {
    const count = Math.max(1, Math.ceil(sizeBytes / BLOCK_BYTES));
    if (this.#failure !== null || count > this.#free.length) return null;
    const blocks = this.#free.splice(-count);
    const id = this.#nextId++;
    const open: Open = { busyMs: 0, awaited: null };
    this.#open.set(id, open);
    let [at = 0] = blocks;
    let filled = 0;
    const post = (isLast: boolean): void => {
      this.#post({ type: "block", id, at: blocks.shift() as number, length: filled, hasSha256, isLast });
      at = blocks[0] ?? 0;
      filled = 0;
    };
    return {
      update: (bytes) => {
        for (let from = 0; from < bytes.length; ) {
          if (filled === BLOCK_BYTES) post(false);
          if (blocks.length === 0) throw new RangeError(`A body is larger than its ${sizeBytes} bytes.`);
          const part = bytes.subarray(from, from + BLOCK_BYTES - filled);
          this.#memory.set(part, at * BLOCK_BYTES + filled);
          filled += part.length;
          from += part.length;
        }
      },
      digest: () =>
        new Promise((resolve, reject) => {
          if (this.#failure !== null) {
            reject(this.#failure);
            return;
          }
          open.awaited = { resolve, reject };
          post(true);
          this.#free.push(...blocks.splice(0));
        }),
      abandon: () => {
        this.#open.delete(id);
        this.#post({ type: "abandon", id });
        this.#free.push(...blocks.splice(0));
      },
    };
  }

  /** Blocks that no hash has reserved. */
  get freeCount(): number {
    return this.#free.length;
  }

  #post(request: HashRequest): void {
    this.#worker.postMessage(request);
  }

  #answered({ id, at, busyMs, digests }: HashAnswer): void {
    this.#free.push(at);
    const open = this.#open.get(id);
    if (open === undefined) return;
    open.busyMs += busyMs;
    if (digests === null) return;
    this.#open.delete(id);
    open.awaited?.resolve({ ...digests, busyMs: open.busyMs });
  }

  #failed(cause: Error): void {
    this.#failure = new Error("The thread that hashes bodies ended.", { cause });
    for (const { awaited } of this.#open.values()) awaited?.reject(this.#failure);
    this.#open.clear();
  }
}
