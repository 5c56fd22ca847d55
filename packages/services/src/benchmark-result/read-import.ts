/** A file into what is stored of it. On the import thread, so that only columns and packed samples come back. */
import { type ImportedRun, type ImportInput, importFile } from "@stashlight/benchmark/formats";
import type { BenchmarkSample } from "@stashlight/contracts";
import { type PreparedGroup, prepareGroups } from "../benchmark/groups.ts";

const ENDPOINTS_MAX = 16;
const GROUPS_MAX = 200;

/** What a file holds of one endpoint. */
export interface PreparedRun {
  /** As the file calls it; null where it names none. */
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
  | { readonly ok: true; readonly file: Omit<ImportedRun, "samples">; readonly runs: readonly PreparedRun[] };

export function readImport(input: ImportInput): PreparedImport {
  const result = importFile(input);
  if (!result.ok) return { ok: false, message: result.refusal.message };
  const { samples, ...file } = result.run;
  const byEndpoint = Map.groupBy(samples, ({ endpoint }) => endpoint ?? null);
  if (byEndpoint.size > ENDPOINTS_MAX) {
    return {
      ok: false,
      message: `The file has samples of ${byEndpoint.size} endpoints; at most ${ENDPOINTS_MAX} are imported.`,
    };
  }
  const runs = [...byEndpoint].map(([endpoint, ofEndpoint]) => prepareRun(endpoint, ofEndpoint));
  const widest = Math.max(0, ...runs.map(({ groups }) => groups.length));
  if (widest > GROUPS_MAX) {
    return {
      ok: false,
      message: `The file has ${widest} different operations and sizes; a run has at most ${GROUPS_MAX}, because figures of a few samples say nothing.`,
    };
  }
  // A tool that kept no samples still made a run, of figures alone.
  return { ok: true, file, runs: runs.length > 0 ? runs : [prepareRun(null, [])] };
}

function prepareRun(endpoint: string | null, samples: readonly BenchmarkSample[]): PreparedRun {
  const placed = samples.map((sample, index) => ({ ...sample, index }));
  const started = samples.map(({ startedAtMs }) => startedAtMs);
  const ended = samples.map(({ startedAtMs, wireMs }) => startedAtMs + wireMs);
  const least = (values: readonly number[], choose: (a: number, b: number) => number): number | null =>
    values.length === 0 ? null : values.reduce((a, b) => choose(a, b));
  return {
    endpoint,
    slotMs: samples[0]?.slotMs ?? null,
    startedAtMs: least(started, Math.min),
    finishedAtMs: least(ended, Math.max),
    sampleCount: samples.length,
    failureCount: samples.filter(({ outcome }) => outcome !== "ok").length,
    taggedCount: samples.filter(({ isTagged }) => isTagged).length,
    groups: prepareGroups(placed, () => 1),
  };
}
