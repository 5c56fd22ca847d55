import type { BenchmarkOperation, BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
import type { ExportedCells } from "./drive-exports.ts";

/** A run to be written: its samples in their order, and what else a reader of the file should know. */
export interface ExportedRun {
  readonly name: string;
  readonly tool: string;
  /** Endpoint, method and its parameters, as texts. */
  readonly details: Readonly<Record<string, string>>;
  readonly samples: readonly BenchmarkSample[];
  /** Null for a run on an object store. */
  readonly drive: ExportedCells | null;
}

export interface ExportedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Samples that may be put into one distribution. */
export interface SampleGroup {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly endpoint: string | undefined;
  readonly samples: readonly BenchmarkSample[];
  readonly okMs: readonly number[];
  readonly censoredMs: readonly number[];
}

export function groupsOf(samples: readonly BenchmarkSample[]): SampleGroup[] {
  const byKey = Map.groupBy(samples, ({ operation, sizeBytes, endpoint }) =>
    JSON.stringify([operation, sizeBytes, endpoint]),
  );
  return [...byKey.values()].map((group) => {
    const { operation, sizeBytes, endpoint } = group[0] as BenchmarkSample;
    const [ok, censored] = [group.filter(isOk), group.filter((sample) => !isOk(sample))];
    return {
      operation,
      sizeBytes,
      endpoint,
      samples: group,
      okMs: ok.map(({ wireMs }) => wireMs),
      censoredMs: censored.map(({ wireMs }) => wireMs),
    };
  });
}

function isOk({ outcome }: BenchmarkSample): boolean {
  return outcome === "ok";
}
