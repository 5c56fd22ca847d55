/**
 * Where answers are merged: small ones at once, because a message to a thread and back costs more than they do; large
 * ones on a thread, because the process that answers them has other requests to serve.
 */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Merged, type MergeJob, merge, sizeOf } from "./merge.ts";

/** About a thousand windows, which take three milliseconds. */
const INLINE_CHARACTERS_MAX = 500_000;

type Waiting = PromiseWithResolvers<Merged>;
type Answer = { readonly id: number } & ({ readonly merged: Merged } | { readonly failure: string });

export class Merger {
  readonly #inlineCharactersMax: number;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #jobCount = 0;

  constructor(inlineCharactersMax = INLINE_CHARACTERS_MAX) {
    this.#inlineCharactersMax = inlineCharactersMax;
  }

  async merge(job: MergeJob): Promise<Merged> {
    if (sizeOf(job) <= this.#inlineCharactersMax) return merge(job);
    this.#thread ??= this.#start();
    this.#jobCount += 1;
    const id = this.#jobCount;
    const waiting = Promise.withResolvers<Merged>();
    this.#waiting.set(id, waiting);
    this.#thread.ref();
    this.#thread.postMessage({ id, job });
    return waiting.promise;
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(join(import.meta.dirname, "merge-thread.ts"));
    thread.on("message", (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("merged" in answer) waiting?.resolve(answer.merged);
      else waiting?.reject(new Error(answer.failure));
      // It keeps the process alive only while somebody waits for it.
      if (this.#waiting.size === 0) thread.unref();
    });
    const lose = (error: Error): void => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      for (const waiting of this.#waiting.values()) waiting.reject(error);
      this.#waiting.clear();
    };
    thread.on("error", lose);
    thread.on("exit", () => lose(new Error("The thread that merges histograms ended.")));
    return thread;
  }
}
