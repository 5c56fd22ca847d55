/**
 * Samples at rest: a column a field as JSON, compressed. Values of a column are alike, so 100 samples take some four
 * kilobytes. The first byte is the version of the form: 1 is one portion, 2 several portions one after the other, each
 * of form 1 and with its length before it, so that a long run is packed while it is read.
 */
import assert from "node:assert/strict";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
import { present } from "../present.ts";

const version = 1;
const portionsVersion = 2;
const lengthBytes = 4;
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

/** Joins portions into one value that unpacks in their order. */
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
  if (packed[0] !== version) throw new TypeError(`Samples of form ${packed[0]} cannot be read.`);
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

/** The fields of a sample are filled in one column after the other. */
interface Unpacked {
  readonly phases: Record<string, unknown>;
  [field: string]: unknown;
}

/** Every field was checked before it was packed, so only those that all samples have are looked for. */
const isSample = (sample: Unpacked): sample is Unpacked & BenchmarkSample =>
  typeof sample.operation === "string" &&
  typeof sample.outcome === "string" &&
  typeof sample.startedAtMs === "number" &&
  typeof sample.wireMs === "number";

const phasePrefix = "phases.";

function fieldsOf({ phases, ...sample }: BenchmarkSample): [string, unknown][] {
  const ofPhases = Object.entries(phases).map(([name, value]): [string, unknown] => [
    `${phasePrefix}${name}`,
    value,
  ]);
  return [...Object.entries(sample), ...ofPhases];
}
