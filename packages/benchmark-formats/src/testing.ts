/** Reads golden files for the tests of formats. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type BenchmarkSample, benchmarkSampleSchema } from "@stashlight/contracts/sample";
import { importFile } from "./import-file.ts";
import type { ImportedRun } from "./imported-run.ts";

export const golden = (name: string): Buffer => readFileSync(new URL(`golden/${name}`, import.meta.url));

export interface Imported extends ImportedRun {
  readonly samples: readonly BenchmarkSample[];
}

export async function imported(bytes: Uint8Array, name = "file"): Promise<Imported> {
  const samples: BenchmarkSample[] = [];
  const result = await importFile({ name, bytes }, { take: (sample) => samples.push(sample) });
  if (!result.ok) throw new Error(result.refusal.message);
  for (const sample of samples) benchmarkSampleSchema.parse(sample);
  assert.equal(result.run.sampleCount, samples.length);
  assert.deepEqual(
    samples.map(({ index }) => index),
    [...samples.keys()],
  );
  return { ...result.run, samples };
}
