import {
  type BenchmarkOperation,
  type BenchmarkSample,
  type BenchmarkStarts,
  latencyMs,
} from "@stashlight/contracts/sample";
import type { ExportedCells } from "./drive-exports.ts";
import { SeenConnections } from "./seen-connections.ts";
import { addStart, collectStarts, summariseStarts } from "./starts.ts";

/** Run to export: its samples in order, and the other facts that a reader of the file needs. */
export interface ExportedRun {
  readonly name: string;
  readonly tool: string;
  /** Number of connections of each leg, by leg number; empty if not known. */
  readonly connectionCounts: readonly number[];
  /** Endpoint, method and its parameters, as text. */
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

/** Samples of one load, which may be combined into one distribution. */
export interface SampleGroup {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
  readonly endpoint: string | undefined;
  readonly samples: readonly BenchmarkSample[];
  /** Latencies, measured from the due moment if a rate was requested. */
  readonly okMs: readonly number[];
  readonly censoredMs: readonly number[];
  /** Starts of the operations, with service times if a rate was requested. */
  readonly starts: BenchmarkStarts | null;
}

export function groupSamples({ samples, connectionCounts }: ExportedRun): SampleGroup[] {
  const seen = new SeenConnections();
  for (const sample of samples) seen.add(sample);
  const sampleConnectionCount = ({ leg = 0 }: BenchmarkSample): number =>
    connectionCounts[leg] ?? seen.count(leg);
  const byKey = Map.groupBy(samples, (sample) =>
    JSON.stringify([sample.operation, sample.sizeBytes, sampleConnectionCount(sample), sample.endpoint]),
  );
  return [...byKey.values()].map((group) => {
    const first = group[0] as BenchmarkSample;
    const { operation, sizeBytes, endpoint } = first;
    const starts = collectStarts();
    for (const sample of group) addStart(starts, sample);
    const [ok, censored] = [group.filter(isOk), group.filter((sample) => !isOk(sample))];
    return {
      operation,
      sizeBytes,
      connectionCount: sampleConnectionCount(first),
      endpoint,
      samples: group,
      okMs: ok.map(latencyMs),
      censoredMs: censored.map(latencyMs),
      starts: summariseStarts(starts),
    };
  });
}

function isOk({ outcome }: BenchmarkSample): boolean {
  return outcome === "ok";
}
