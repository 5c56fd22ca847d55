/**
 * Packs samples for storage: one column per field as JSON, compressed. Values of a column are similar, so 100 samples
 * take about 4 kB. The first byte is the format version: 1 is a single portion; 2 is several portions of version 1,
 * each preceded by its length, so that a long run can be packed while it is read.
 */
import assert from "node:assert/strict";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { present } from "../present.ts";

const version = 1;
const portionsVersion = 2;
const lengthBytes = 4;
const unpackedBytesMax = 256 * 1_048_576;

interface Columns {
  count: number;
  /** Columns by field name; fields of a phase have the prefix "phases.". Null if the sample lacks the field. */
  columns: Record<string, unknown[]>;
}

export function packSamples(samples: readonly BenchmarkSample[]): Buffer<ArrayBuffer> {
  const columns: Record<string, unknown[]> = {};
  for (const [place, sample] of samples.entries()) {
    for (const [name, value] of sampleFields(sample)) {
      if (value === undefined) continue;
      columns[name] ??= new Array<unknown>(samples.length).fill(null);
      columns[name][place] = value;
    }
  }
  const json = JSON.stringify({ count: samples.length, columns } satisfies Columns);
  return Buffer.concat([Buffer.of(version), zstdCompressSync(json)]);
}

/** Joins portions into one value that unpacks in the same order. */
export function joinPacked(portions: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const total = portions.reduce((sum, { length }) => sum + lengthBytes + length, 1);
  const joined = Buffer.alloc(total);
  joined[0] = portionsVersion;
  let at = 1;
  for (const portion of portions) {
    joined.writeUInt32BE(portion.length, at);
    joined.set(portion, at + lengthBytes);
    at += lengthBytes + portion.length;
  }
  return joined;
}

export function unpackSamples(packed: Uint8Array): BenchmarkSample[] {
  return packed[0] === portionsVersion ? unpackPortions(packed) : unpackPortion(packed);
}

function unpackPortions(packed: Uint8Array): BenchmarkSample[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const samples: BenchmarkSample[] = [];
  for (let at = 1; at < bytes.length; ) {
    const begin = at + lengthBytes;
    at = begin + bytes.readUInt32BE(at);
    for (const sample of unpackPortion(bytes.subarray(begin, at))) samples.push(sample);
  }
  return samples;
}

function unpackPortion(packed: Uint8Array): BenchmarkSample[] {
  if (packed[0] !== version) throw new TypeError(`Samples of format version ${packed[0]} cannot be read.`);
  const json = zstdDecompressSync(packed.subarray(1), { maxOutputLength: unpackedBytesMax });
  const { count, columns }: Columns = JSON.parse(json.toString());
  const samples = Array.from({ length: count }, (): Unpacked => ({ phases: {} }));
  for (const [name, values] of Object.entries(columns)) {
    const phase = name.startsWith(phasePrefix) ? name.slice(phasePrefix.length) : undefined;
    for (const [place, value] of values.entries()) {
      if (value === null) continue;
      const sample = present(samples[place]);
      if (phase === undefined) sample[name] = value;
      else sample.phases[phase] = value;
    }
  }
  assert(samples.every(isSample), "A packed sample lacks a field that all samples have.");
  return samples;
}

/** Fills the fields of a sample one column after the other. */
interface Unpacked {
  readonly phases: Record<string, unknown>;
  [field: string]: unknown;
}

/** Fields were checked before packing, so only those that all samples have are checked here. */
const isSample = (sample: Unpacked): sample is Unpacked & BenchmarkSample =>
  typeof sample.operation === "string" &&
  typeof sample.outcome === "string" &&
  typeof sample.startedAtMs === "number" &&
  typeof sample.wireMs === "number";

const phasePrefix = "phases.";

function sampleFields({ phases, ...sample }: BenchmarkSample): [string, unknown][] {
  const ofPhases = Object.entries(phases).map(([name, value]): [string, unknown] => [
    `${phasePrefix}${name}`,
    value,
  ]);
  return [...Object.entries(sample), ...ofPhases];
}
