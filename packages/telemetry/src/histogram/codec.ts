/**
 * A histogram in bytes, on the wire and in the store. Whole numbers are varints (varint.ts).
 *
 *     histogram := scale (1 byte, 4)  zero count  rest
 *     rest      := nothing, of a histogram without samples
 *                | sum  minimum  maximum (doubles, little-endian)  buckets
 *     buckets   := (distance, count)*
 *
 * A distance is from the bucket before, of the first one from the zero bucket, whose index is -321; so it is at least 1,
 * as is a count. A histogram has one encoding, so equal histograms are equal bytes. The count of samples is the zero
 * count and the buckets' counts together.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import { bucketIndex, INDEX_MAX, INDEX_MIN, SCALE, VALUE_MAX, ZERO_THRESHOLD } from "./buckets.ts";
import { ExponentialHistogram, type HistogramContent } from "./histogram.ts";
import { readVarint, writeVarint } from "./varint.ts";

type Buckets = HistogramContent["buckets"];

const STATISTICS_BYTES = 24;
const ZERO_INDEX = INDEX_MIN - 1;

export function encodeHistogram(histogram: ExponentialHistogram): Uint8Array {
  const { zeroCount, sum, min, max, buckets } = histogram.content();
  const head = [SCALE];
  writeVarint(head, zeroCount);
  if (histogram.count === 0) return Uint8Array.from(head);
  const tail = encodeBuckets(buckets);
  const bytes = new Uint8Array(head.length + STATISTICS_BYTES + tail.length);
  bytes.set(head);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of [sum, min, max].entries()) view.setFloat64(head.length + 8 * i, value, true);
  bytes.set(tail, head.length + STATISTICS_BYTES);
  return bytes;
}

/** Only the buckets, for a store that keeps the statistics in columns of their own. */
export function encodeBuckets(buckets: Buckets): Uint8Array {
  const bytes: number[] = [];
  let previous = ZERO_INDEX;
  for (const [index, count] of buckets) {
    writeVarint(bytes, index - previous);
    writeVarint(bytes, count);
    previous = index;
  }
  return new Uint8Array(bytes);
}

/** Throws `invalid_input` for anything but what `encodeHistogram` makes. */
export function decodeHistogram(bytes: Uint8Array): ExponentialHistogram {
  if (bytes[0] !== SCALE)
    throw malformed(`its scale is ${bytes[0] ?? "missing"}, and only ${SCALE} is known`);
  const zero = readVarint(bytes, 1);
  if (zero === null) throw malformed("its zero count is cut off or too large");
  if (zero.end === bytes.length) {
    if (zero.value > 0) throw malformed("its sum, minimum and maximum are missing");
    return new ExponentialHistogram();
  }
  const tailStart = zero.end + STATISTICS_BYTES;
  if (bytes.length < tailStart) throw malformed("its sum, minimum and maximum are cut off");
  const view = new DataView(bytes.buffer, bytes.byteOffset + zero.end, STATISTICS_BYTES);
  const [sum, min, max] = [view.getFloat64(0, true), view.getFloat64(8, true), view.getFloat64(16, true)];
  const content = { zeroCount: zero.value, sum, min, max, buckets: decodeBuckets(bytes.subarray(tailStart)) };
  assertPossible(content);
  return ExponentialHistogram.from(content);
}

/** Throws `invalid_input` for anything but what `encodeBuckets` makes. */
export function decodeBuckets(bytes: Uint8Array): Buckets {
  const buckets: [number, number][] = [];
  let index = ZERO_INDEX;
  let at = 0;
  while (at < bytes.length) {
    const distance = readVarint(bytes, at);
    const count = distance && readVarint(bytes, distance.end);
    if (!count) throw malformed("a bucket is cut off or too large");
    if (distance.value === 0 || count.value === 0) throw malformed("a bucket is empty or comes twice");
    index += distance.value;
    if (index > INDEX_MAX) throw malformed(`bucket ${index} is beyond the last one, ${INDEX_MAX}`);
    buckets.push([index, count.value]);
    at = count.end;
  }
  return buckets;
}

function assertPossible({ zeroCount, sum, min, max, buckets }: HistogramContent): void {
  const count = buckets.reduce((total, [, each]) => total + each, zeroCount);
  if (count === 0) throw malformed("it has statistics but no samples");
  if (count > Number.MAX_SAFE_INTEGER) throw malformed("it has more samples than can be counted");
  if (!(min >= 0 && min <= max && max <= VALUE_MAX))
    throw malformed("its minimum and maximum are impossible");
  const lowest = zeroCount > 0 ? ZERO_INDEX : buckets[0]?.[0];
  const highest = buckets.at(-1)?.[0] ?? ZERO_INDEX;
  if (placeOf(min) !== lowest || placeOf(max) !== highest) {
    throw malformed("its minimum and maximum are not in its first and last bucket");
  }
  // A sum of rounded additions may lie beside the smallest and the largest possible one by that rounding.
  const slack = 1 + count * Number.EPSILON;
  if (!(sum >= (min * count) / slack && sum <= max * count * slack)) {
    throw malformed("its sum is impossible for its minimum, maximum and count");
  }
}

const placeOf = (value: number): number => (value <= ZERO_THRESHOLD ? ZERO_INDEX : bucketIndex(value));

function malformed(what: string): StashlightError {
  return new StashlightError("invalid_input", `A histogram cannot be read: ${what}.`);
}
