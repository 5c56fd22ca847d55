import type { BenchmarkPhases, BenchmarkSample } from "@stashlight/contracts/sample";
import { quantileOfSorted } from "@stashlight/stats/rank";

export interface PhaseRow {
  readonly name: string;
  readonly explanation: string;
  /** Number of samples with this phase. */
  readonly n: number;
  readonly medianMs: number;
  readonly maxMs: number;
}

const phases: readonly { key: keyof BenchmarkPhases; name: string; explanation: string }[] = [
  { key: "lookupMs", name: "Name lookup", explanation: "only on a fresh connection" },
  { key: "connectMs", name: "TCP connect", explanation: "only on a fresh connection" },
  { key: "tlsMs", name: "TLS", explanation: "only on a fresh connection" },
  {
    key: "writtenMs",
    name: "Last byte handed to the kernel",
    explanation: "from the start; does not measure the server",
  },
  { key: "headersMs", name: "Response headers", explanation: "from the start" },
  { key: "bodyMs", name: "Response body", explanation: "after the headers" },
];

/** Medians by nearest rank over the samples that reached the phase; leaves out phases that no sample reached. */
export function phaseRows(samples: readonly Pick<BenchmarkSample, "phases">[]): PhaseRow[] {
  return phases.flatMap(({ key, name, explanation }) => {
    const values = samples
      .map((sample) => sample.phases[key])
      .filter((value) => value !== undefined)
      .sort((a, b) => a - b);
    const maxMs = values.at(-1);
    if (maxMs === undefined) return [];
    const medianMs = quantileOfSorted(values, 500_000);
    return [{ name, explanation, n: values.length, medianMs, maxMs }];
  });
}
