/**
 * Where answers are merged: small ones at once, because a message to a thread and back costs more than they do; large
 * ones on a thread, because the process that answers them has other requests to serve.
 */
import { join } from "node:path";
import { JobThread } from "../thread/job-thread.ts";
import { type Merged, type MergeJob, merge, sizeOf } from "./merge.ts";

/** About a thousand windows, which take three milliseconds. */
const INLINE_CHARACTERS_MAX = 500_000;

export class Merger {
  readonly #inlineCharactersMax: number;
  readonly #thread = new JobThread<MergeJob, Merged>(
    join(import.meta.dirname, "merge-thread.ts"),
    "merges histograms",
  );

  constructor(inlineCharactersMax = INLINE_CHARACTERS_MAX) {
    this.#inlineCharactersMax = inlineCharactersMax;
  }

  async merge(job: MergeJob): Promise<Merged> {
    return sizeOf(job) <= this.#inlineCharactersMax ? merge(job) : this.#thread.run(job);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
