import { zstdCompressSync } from "node:zlib";
import {
  type BenchmarkSample,
  benchmarkOperations,
  benchmarkOutcomes,
  benchmarkSampleSchema,
} from "@stashlight/contracts/sample";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testSample } from "../testing/benchmark.ts";
import { joinPacked, packSamples, unpackSamples } from "./pack.ts";

const ms = fc
  .double({ min: 0, max: 3_600_000, noNaN: true, noDefaultInfinity: true })
  .map((value) => value + 0);
const text = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" });
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const withoutUndefined = <Shape extends object>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined));

const samples: fc.Arbitrary<BenchmarkSample[]> = fc.array(
  fc
    .record({
      index: fc.nat(),
      leg: maybe(fc.nat(9)),
      operation: fc.constantFrom(...benchmarkOperations),
      outcome: fc.constantFrom(...benchmarkOutcomes),
      sizeBytes: fc.nat(),
      transferredBytes: fc.nat(),
      startedAtMs: ms,
      wireMs: ms,
      perceivedMs: ms,
      attempts: fc.integer({ min: 1, max: 9 }),
      isCold: fc.boolean(),
      isTagged: fc.boolean(),
      gcMs: maybe(ms),
      rttMs: maybe(ms),
      rttMissing: maybe(fc.constantFrom("not-in-time" as const, "failed" as const)),
      errorCode: maybe(text),
      objectKey: maybe(text),
      phases: fc.record({ writtenMs: maybe(ms), headersMs: maybe(ms) }).map(withoutUndefined),
    })
    .map((sample) => withoutUndefined(sample) as unknown as BenchmarkSample),
);

test("packed samples are unpacked exactly, including absent fields", () => {
  fc.assert(
    fc.property(samples, (given) => {
      const back = unpackSamples(packSamples(given));
      expect(back).toStrictEqual(given);
      for (const sample of back) expect(() => benchmarkSampleSchema.parse(sample)).not.toThrow();
    }),
  );
});

test("samples packed before round trips were stored can be read", () => {
  const sample = {
    index: 0,
    leg: 1,
    operation: "PUT",
    outcome: "ok",
    sizeBytes: 1000,
    transferredBytes: 1000,
    startedAtMs: 1_795_258_800_000,
    wireMs: 12.5,
    perceivedMs: 12.5,
    attempts: 1,
    isCold: false,
    connection: 0,
    isTagged: false,
    achievedPauseMs: 10.1,
  };
  const columns = Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, [value]]));
  const json = JSON.stringify({ count: 1, columns: { ...columns, "phases.writtenMs": [3] } });
  const packed = Buffer.concat([Buffer.of(1), zstdCompressSync(json)]);
  expect(unpackSamples(packed)).toStrictEqual([{ ...sample, phases: { writtenMs: 3 } }]);
});

test("a hundred samples take less than 8 kB", () => {
  const many = Array.from({ length: 100 }, (_, index) =>
    testSample({
      index,
      wireMs: 100 + Math.sin(index) * 20,
      objectKey: `stashlight-5f0c3a5e/${index}`,
      remoteAddress: "203.0.113.7:443",
      localPort: 40_000,
      achievedPauseMs: 10 + Math.cos(index),
    }),
  );
  expect(packSamples(many).length).toBeLessThan(8000);
});

test("joined portions are unpacked as one, in order", () => {
  fc.assert(
    fc.property(fc.array(samples, { maxLength: 4 }), (portions) => {
      expect(unpackSamples(joinPacked(portions.map(packSamples)))).toStrictEqual(portions.flat());
    }),
    { numRuns: 30 },
  );
});

test("a truncated portion is refused", () => {
  const whole = joinPacked([packSamples([testSample({ index: 0 })])]);
  expect(() => unpackSamples(whole.subarray(0, whole.length - 3))).toThrow();
});

test("an unknown format version is refused", () => {
  expect(() => unpackSamples(Buffer.of(3, 0))).toThrow("Samples of format version 3 cannot be read.");
});
