import type { BenchmarkPhases, BenchmarkSample } from "@stashlight/contracts";

export interface PhaseRow {
  readonly name: string;
  readonly explanation: string;
  /** How many samples have it. */
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
    name: "Until the kernel had the last byte",
    explanation: "from the start; says nothing of the server",
  },
  { key: "headersMs", name: "Until the answer's headers", explanation: "from the start" },
  { key: "bodyMs", name: "The answer's body", explanation: "after its headers" },
];

/** Medians by nearest rank, of the samples that reached the phase; a phase that none did is left out. */
export function phaseRows(samples: readonly Pick<BenchmarkSample, "phases">[]): PhaseRow[] {
  return phases.flatMap(({ key, name, explanation }) => {
    const values = samples
      .map((sample) => sample.phases[key])
      .filter((value) => value !== undefined)
      .sort((a, b) => a - b);
    const [medianMs, maxMs] = [values[Math.ceil(values.length / 2) - 1], values.at(-1)];
    if (medianMs === undefined || maxMs === undefined) return [];
    return [{ name, explanation, n: values.length, medianMs, maxMs }];
  });
}
