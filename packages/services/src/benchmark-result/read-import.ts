/** Converts a file into the stored form on the import thread, so that only columns and packed samples are returned. */
import {
  type ImportedRun,
  type ImportInput,
  type ImportProgress,
  importFile,
  SeenConnections,
} from "@stashlight/benchmark-formats";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { createGroupCollector, type GroupCollector, type PreparedGroup } from "../benchmark/groups.ts";

const ENDPOINTS_MAX = 16;
const GROUPS_MAX = 200;

/** Contents of a file for one endpoint. */
export interface PreparedRun {
  /** Name in the file; null if the file has none. */
  readonly endpoint: string | null;
  readonly slotMs: number | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly sampleCount: number;
  readonly failureCount: number;
  readonly taggedCount: number;
  readonly groups: readonly PreparedGroup[];
}

export type PreparedImport =
  | { readonly ok: false; readonly message: string; readonly field?: string }
  | { readonly ok: true; readonly file: ImportedRun; readonly runs: readonly PreparedRun[] };

export async function readImport(
  input: ImportInput,
  onProgress?: (progress: ImportProgress) => void,
): Promise<PreparedImport> {
  const runs = new Map<string | null, RunCollector>();
  const take = (sample: BenchmarkSample): void => {
    const endpoint = sample.endpoint ?? null;
    let run = runs.get(endpoint);
    if (run === undefined) {
      if (runs.size === ENDPOINTS_MAX) throw new TooVaried(tooManyEndpoints);
      run = new RunCollector(endpoint, sample.slotMs ?? null);
      runs.set(endpoint, run);
    }
    run.take(sample);
  };
  try {
    const result = await importFile(input, { take, ...(onProgress && { onProgress }) });
    if (!result.ok) return { ok: false, message: result.refusal.message };
    const { connectionCounts } = result.run;
    const prepared = [...runs.values()].map((run) => run.finish(connectionCounts));
    // A tool without samples still produced a run with figures.
    if (prepared.length === 0) prepared.push(new RunCollector(null, null).finish([]));
    return { ok: true, file: result.run, runs: prepared };
  } catch (error) {
    if (error instanceof TooVaried) return { ok: false, message: error.message };
    throw error;
  }
}

const tooManyEndpoints = `The file has samples of more than ${ENDPOINTS_MAX} endpoints; split it into one file per endpoint.`;
const tooManyGroups = `The file has more than ${GROUPS_MAX} different combinations of operation, size and leg for one endpoint. This is the limit of a run, because figures of a few samples mean nothing.`;

class TooVaried extends Error {
  override readonly name = "TooVaried";
}

/** The samples of one endpoint, in the order of the file. */
class RunCollector {
  readonly #endpoint: string | null;
  readonly #slotMs: number | null;
  readonly #groups: GroupCollector = createGroupCollector();
  readonly #seen = new SeenConnections();
  #startedAtMs: number | null = null;
  #finishedAtMs: number | null = null;
  #sampleCount = 0;
  #failureCount = 0;
  #taggedCount = 0;

  constructor(endpoint: string | null, slotMs: number | null) {
    this.#endpoint = endpoint;
    this.#slotMs = slotMs;
  }

  take(sample: BenchmarkSample): void {
    const { startedAtMs, wireMs, outcome, isTagged } = sample;
    const endedAtMs = startedAtMs + wireMs;
    this.#startedAtMs = Math.min(this.#startedAtMs ?? startedAtMs, startedAtMs);
    this.#finishedAtMs = Math.max(this.#finishedAtMs ?? endedAtMs, endedAtMs);
    if (outcome !== "ok") this.#failureCount += 1;
    if (isTagged) this.#taggedCount += 1;
    this.#seen.add(sample);
    const groupCount = this.#groups.take({ ...sample, index: this.#sampleCount });
    this.#sampleCount += 1;
    if (groupCount > GROUPS_MAX) throw new TooVaried(tooManyGroups);
  }

  /** Takes each leg's connections from the file, or else from its samples. */
  finish(connectionCounts: readonly number[]): PreparedRun {
    return {
      endpoint: this.#endpoint,
      slotMs: this.#slotMs,
      startedAtMs: this.#startedAtMs,
      finishedAtMs: this.#finishedAtMs,
      sampleCount: this.#sampleCount,
      failureCount: this.#failureCount,
      taggedCount: this.#taggedCount,
      groups: this.#groups.finish((leg) => connectionCounts[leg] ?? this.#seen.count(leg)),
    };
  }
}
