/**
 * A thread that hashes bodies, to relieve the one with the event loop. Bytes reach it in blocks of shared memory; a
 * body reserves its blocks before it arrives, so it never waits for one. OpenSSL takes two milliseconds to hash a
 * mebibyte, as long as everything else that the edge does for an upload of that size.
 */
import { Worker } from "node:worker_threads";
import { resolveEntry } from "@stashlight/contracts/process/entry";
import type { BodyHash, HashPlan, HashResult } from "./body-hash.ts";
import type { HashAnswer, HashThreadData } from "./messages.ts";
import { QUEUE_BYTES, SegmentQueue } from "./segment-queue.ts";
import { BLOCK_BYTES, BLOCK_COUNT, SegmentedBody } from "./segmented-body.ts";

/** A hash that has neither been digested nor abandoned. */
interface Open {
  readonly body: SegmentedBody;
  awaited: { readonly resolve: (result: HashResult) => void; readonly reject: (error: Error) => void } | null;
}

export class HashThread {
  readonly #memory = new Uint8Array(new SharedArrayBuffer(BLOCK_BYTES * BLOCK_COUNT));
  readonly #queue: SegmentQueue;
  /** Indexes of blocks that no hash has reserved. */
  readonly #free: number[] = Array.from({ length: BLOCK_COUNT }, (_, at) => at);
  readonly #worker: Worker;
  readonly #open = new Map<number, Open>();
  #nextId = 0;
  #failure: Error | null = null;

  constructor() {
    const { file, args } = resolveEntry("hash-thread", new URL("./thread.ts", import.meta.url));
    const queue = new SharedArrayBuffer(QUEUE_BYTES);
    this.#queue = new SegmentQueue(queue);
    this.#worker = new Worker(file, {
      argv: [...args],
      workerData: { queue, blocks: this.#memory.buffer } satisfies HashThreadData,
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
    });
    this.#worker.on("message", (answer: HashAnswer) => this.#answered(answer));
    this.#worker.on("error", (error) => this.#failed(error as Error));
    this.#worker.unref();
  }

  /** Returns null if too few blocks are free, because the thread is then overloaded. */
  open(sizeBytes: number, plan: HashPlan): BodyHash | null {
    const count = Math.max(1, Math.ceil(sizeBytes / BLOCK_BYTES));
    if (this.#failure !== null) return null;
    if (count > this.#free.length) this.#takeBack();
    if (count > this.#free.length) return null;
    const id = this.#nextId++ & 0x7fffffff;
    const blocks = this.#free.splice(-count);
    const body = new SegmentedBody({ id, sizeBytes, plan, blocks, memory: this.#memory, queue: this.#queue });
    const open: Open = { body, awaited: null };
    this.#open.set(id, open);
    return {
      update: (bytes) => {
        if (this.#failure === null) body.update(bytes);
      },
      digest: () =>
        new Promise((resolve, reject) => {
          if (this.#failure !== null) {
            reject(this.#failure);
            return;
          }
          open.awaited = { resolve, reject };
          this.#free.push(...body.end());
        }),
      abandon: () => {
        if (this.#failure === null) this.#free.push(...body.abandon());
      },
    };
  }

  /** Blocks that no hash has reserved. */
  get freeCount(): number {
    this.#takeBack();
    return this.#free.length;
  }

  /** Takes back the blocks that the thread has read, also those of bodies that are still arriving. */
  #takeBack(): void {
    for (const [id, { body, awaited }] of this.#open) {
      this.#free.push(...body.takeBack());
      if (body.heldCount === 0 && awaited === null) this.#open.delete(id);
    }
  }

  #answered({ id, ...result }: HashAnswer): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    this.#free.push(...open.body.takeBackAll());
    open.awaited?.resolve(result);
  }

  #failed(cause: Error): void {
    this.#failure = new Error("The thread that hashes bodies ended.", { cause });
    for (const { awaited } of this.#open.values()) awaited?.reject(this.#failure);
    this.#open.clear();
  }
}
