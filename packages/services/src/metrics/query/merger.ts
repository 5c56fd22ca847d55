/**
 * Merges small answers directly, because messages to and from a thread cost more than they do; merges large ones, and
 * those that search for changes, on a thread, because the process has other requests to serve.
 */
import { join } from "node:path";
import type { Base } from "../../base.ts";
import type { Core } from "../../core.ts";
import { JobThread } from "../../thread/job-thread.ts";
import { jobBytes, type Merged, type MergeJob, merge } from "./merge.ts";

/** About a thousand windows, which take three milliseconds. */
const INLINE_CHARACTERS_MAX = 500_000;

/** Dependencies for reading merged series. */
export interface BaseWithMerger extends Base {
  readonly merger: Merger;
}

/** Context of verbs that answer with merged series, in addition to the core. */
export interface WithMerger extends Core, BaseWithMerger {}

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
    const isQuick =
      jobBytes(job) <= this.#inlineCharactersMax && !("findsChanges" in job && job.findsChanges);
    return isQuick ? merge(job) : this.#thread.run(job);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** Adds a merger, which starts its thread with the first large answer. */
export function withMerger<Opened extends Base>(opened: Opened): Opened & BaseWithMerger {
  const merger = new Merger();
  const close = async () => {
    await Promise.all([opened.close(), merger.close()]);
  };
  return { ...opened, merger, close };
}
