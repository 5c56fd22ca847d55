/**
 * Samples at rest: a column a field as JSON, compressed. Values of a column are alike, so 100 samples take some four
 * kilobytes. The first byte is the version of the form.
 */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { BenchmarkSample } from "@stashlight/contracts";

const version = 1;
const unpackedBytesMax = 256 * 1_048_576;

interface Columns {
  count: number;
  /** By the field's name; of a phase "phases." stands before it. Null where the sample does not have it. */
  columns: Record<string, unknown[]>;
}

export function packSamples(samples: readonly BenchmarkSample[]): Buffer<ArrayBuffer> {
  const columns: Record<string, unknown[]> = {};
  for (const [place, sample] of samples.entries()) {
    for (const [name, value] of fieldsOf(sample)) {
      if (value === undefined) continue;
      columns[name] ??= new Array<unknown>(samples.length).fill(null);
      columns[name][place] = value;
    }
  }
  const json = JSON.stringify({ count: samples.length, columns } satisfies Columns);
  return Buffer.concat([Buffer.of(version), zstdCompressSync(json)]);
}

export function unpackSamples(packed: Uint8Array): BenchmarkSample[] {
  if (packed[0] !== version) throw new TypeError(`Samples of form ${packed[0]} cannot be read.`);
  const json = zstdDecompressSync(packed.subarray(1), { maxOutputLength: unpackedBytesMax });
  const { count, columns } = JSON.parse(json.toString()) as Columns;
  const samples = Array.from({ length: count }, () => ({ phases: {} }) as Record<string, unknown>);
  for (const [name, values] of Object.entries(columns)) {
    const phase = name.startsWith(phasePrefix) ? name.slice(phasePrefix.length) : undefined;
    for (const [place, value] of values.entries()) {
      if (value === null) continue;
      const sample = samples[place] as Record<string, unknown>;
      if (phase === undefined) sample[name] = value;
      else (sample.phases as Record<string, unknown>)[phase] = value;
    }
  }
  return samples as unknown as BenchmarkSample[];
}

const phasePrefix = "phases.";

function fieldsOf({ phases, ...sample }: BenchmarkSample): [string, unknown][] {
  const ofPhases = Object.entries(phases).map(([name, value]): [string, unknown] => [
    `${phasePrefix}${name}`,
    value,
  ]);
  return [...Object.entries(sample), ...ofPhases];
}
