import { StashlightError } from "@stashlight/contracts/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordAll, samplesArbitrary } from "../testing/value-arbitraries.ts";
import { decodeHistogram, encodeHistogram } from "./codec.ts";
import type { ExponentialHistogram } from "./histogram.ts";
import { decodeBuckets, encodeBuckets } from "./packed.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Statistics are plain doubles, least significant byte first: 3ff0... is 1, 4000... is 2, 4008... is 3. */
const golden = [
  { name: "no samples", samples: [], bytes: "0400" },
  {
    name: "one 1, the last value of bucket -1, 320 from the zero bucket",
    samples: [1],
    bytes: "0400 000000000000f03f 000000000000f03f 000000000000f03f c00201",
  },
  {
    name: "a zero, a 1 and a 2, 16 buckets apart",
    samples: [0, 1, 2],
    bytes: "0401 0000000000000840 0000000000000000 0000000000000040 c00201 1001",
  },
  {
    name: "200 times 1, a count of two bytes",
    samples: Array.from({ length: 200 }, () => 1),
    bytes: "0400 0000000000006940 000000000000f03f 000000000000f03f c002c801",
  },
];

describe.each(golden)("$name", ({ samples, bytes }) => {
  test("is always encoded to these bytes", () => {
    const expected = bytes.replaceAll(" ", "");
    expect(hex(encodeHistogram(recordAll(samples)))).toBe(expected);
    expect(decodeHistogram(Buffer.from(expected, "hex")).content()).toEqual(recordAll(samples).content());
  });
});

test("an encoded histogram is decoded unchanged", () => {
  fc.assert(
    fc.property(samplesArbitrary, (samples) => {
      const histogram = recordAll(samples);
      const decoded = decodeHistogram(encodeHistogram(histogram));
      expect(decoded.content()).toEqual(histogram.content());
      expect(decoded.count).toBe(histogram.count);
      const { buckets } = histogram.content();
      expect(decodeBuckets(encodeBuckets(buckets))).toEqual(buckets);
    }),
  );
});

test("counts up to 2^53 - 1 are encoded without loss", () => {
  const buckets = [[0, Number.MAX_SAFE_INTEGER]] as const;
  expect(decodeBuckets(encodeBuckets(buckets))).toEqual(buckets);
});

test("a window of 10 s at 1,000 syncs per second takes at most 250 bytes", () => {
  // Log-normal around 2 ms, like an SSD's syncs, from a fixed sequence of quasi-random points.
  const samples = Array.from({ length: 10_000 }, (_, i) => {
    const [u, v] = [(0.5 + i * 0.618_033_988_75) % 1, (0.5 + i * 0.754_877_666_25) % 1];
    const normal = Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v);
    return 0.002 * Math.exp(0.4 * normal);
  });
  expect(encodeHistogram(recordAll(samples)).length).toBeLessThanOrEqual(250);
});

test("truncated, changed or invented bytes are refused as invalid, or are the encoding of their decoded value", () => {
  const encoded = samplesArbitrary.map((samples) => encodeHistogram(recordAll(samples)));
  const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.nat());
  const changed = fc.tuple(encoded, change).map(([bytes, [at, flip, cut]]) => {
    const copy = Uint8Array.from(bytes);
    copy[at % copy.length] = (copy[at % copy.length] as number) ^ flip;
    return cut % 3 === 0 ? copy.subarray(0, cut % copy.length) : copy;
  });
  fc.assert(
    fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 60 })), (bytes) => {
      let decoded: ExponentialHistogram;
      try {
        decoded = decodeHistogram(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(StashlightError);
        expect((error as StashlightError).code).toBe("invalid_input");
        return;
      }
      expect(hex(encodeHistogram(decoded))).toBe(hex(bytes));
    }),
    { numRuns: 3000 },
  );
});

const statistics = "000000000000f03f000000000000f03f000000000000f03f";

test.each([
  ["nothing at all", "", /scale is missing/],
  ["another scale", "0500", /only 4 is known/],
  ["a zero count without statistics", "0401", /are missing/],
  ["truncated statistics", "040000", /cut off/],
  ["statistics without samples", `0400${statistics}`, /no samples/],
  ["half a bucket", `0400${statistics}c002`, /cut off/],
  ["an empty bucket", `0400${statistics}c00200`, /empty/],
  ["a bucket twice", `0400${statistics}c002010001`, /twice/],
  ["a bucket beyond the last", `0400${statistics}c10701`, /beyond/],
  ["a minimum outside its bucket", `0400${statistics}c00301`, /first and last bucket/],
  ["a sum that no samples have", `0400${statistics}c00202`, /sum is impossible/],
  ["a number encoded longer than necessary", `0400${statistics}c0820001`, /cut off or too large/],
  ["a negative minimum", `0400000000000000f0bf000000000000f0bf000000000000f0bfc00201`, /impossible/],
])("a histogram with %s is refused", (_, bytes, message) => {
  expect(() => decodeHistogram(Buffer.from(bytes, "hex"))).toThrow(message);
});
