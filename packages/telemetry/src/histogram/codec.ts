/**
 * Encodes a histogram as bytes for the wire. Whole numbers are varints (varint.ts).
 *
 *     histogram := scale (1 byte, 4)  zero count  rest
 *     rest      := nothing, for a histogram without samples
 *                | sum  minimum  maximum (doubles, little-endian)  buckets, encoded by packed.ts
 *
 * The encoding is unique, so equal histograms have equal bytes. The number of samples is the sum of the zero count and
 * the buckets' counts.
 */
import { SCALE } from "./buckets.ts";
import { ExponentialHistogram } from "./histogram.ts";
import { decodeBuckets, encodeBuckets, malformed, type PackedHistogram, packed } from "./packed.ts";
import { NO_NUMBER, readVarint, writeVarint } from "./varint.ts";

const STATISTICS_BYTES = 24;

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

/** Throws `invalid_input` for anything that `encodeHistogram` does not produce. */
export function decodeHistogram(bytes: Uint8Array): ExponentialHistogram {
  const read = readPacked(bytes);
  if (read === null) return new ExponentialHistogram();
  return ExponentialHistogram.from({ ...read, buckets: decodeBuckets(read.buckets) });
}

/**
 * Returns null for a histogram without samples. Its buckets are a view of the bytes. Throws as `decodeHistogram` does.
 */
export function readPacked(bytes: Uint8Array): PackedHistogram | null {
  if (bytes[0] !== SCALE)
    throw malformed(`its scale is ${bytes[0] ?? "missing"}, and only ${SCALE} is known`);
  const place = { bytes, at: 1 };
  const zeroCount = readVarint(place);
  if (zeroCount === NO_NUMBER) throw malformed("its zero count is cut off or too large");
  if (place.at === bytes.length) {
    if (zeroCount > 0) throw malformed("its sum, minimum and maximum are missing");
    return null;
  }
  const tailStart = place.at + STATISTICS_BYTES;
  if (bytes.length < tailStart) throw malformed("its sum, minimum and maximum are cut off");
  const view = new DataView(bytes.buffer, bytes.byteOffset + place.at, STATISTICS_BYTES);
  const [sum, min, max] = [view.getFloat64(0, true), view.getFloat64(8, true), view.getFloat64(16, true)];
  return packed({ zeroCount, sum, min, max, buckets: bytes.subarray(tailStart) });
}
