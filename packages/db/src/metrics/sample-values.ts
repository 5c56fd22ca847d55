/**
 * Layout of the levels and increases of a window in a row of `sample_raw`. Most are counts, which four-byte floats
 * represent exactly up to 2^24; bytes and seconds need doubles. So there are two arrays, and a layout orders its series
 * so that those that may be narrow are adjacent:
 *
 *     layout   gauges of doubles | narrow gauges, narrow counters | counters of doubles
 *     values   ^^^^^^^^^^^^^^^^^^                                   ^^^^^^^^^^^^^^^^^^^
 *     narrow                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 *
 * A row with a count that does not fit a four-byte float has all values in `values`, and no `narrow`; so does every row
 * from before there were two arrays.
 */
import type { MetricUnit } from "@stashlight/contracts/metrics";

const NARROW_UNITS: ReadonlySet<MetricUnit> = new Set([
  ...(["count", "records", "shards", "segments", "info", "boolean"] as const),
]);
/** With fewer narrow values, the header of a second array takes more space than it saves. */
const NARROW_COUNT_MIN = 7;

/** Order of a layout's series, as indexes into a window's gauges followed by its counters. */
export interface SampleOrder {
  readonly all: readonly number[];
  readonly wide: readonly number[];
  readonly narrow: readonly number[];
  /** Number of series before the narrow ones. */
  readonly narrowAfter: number;
}

export function orderSamples(gauges: readonly MetricUnit[], counters: readonly MetricUnit[]): SampleOrder {
  const units = [...gauges, ...counters];
  const indexes = [...units.keys()];
  const isNarrow = (index: number): boolean => NARROW_UNITS.has(units[index] as MetricUnit);
  const isWide = (index: number): boolean => !isNarrow(index);
  const wideGauges = indexes.slice(0, gauges.length).filter(isWide);
  const wideCounters = indexes.slice(gauges.length).filter(isWide);
  const narrow = indexes.filter(isNarrow);
  return {
    all: [...wideGauges, ...narrow, ...wideCounters],
    wide: [...wideGauges, ...wideCounters],
    narrow,
    narrowAfter: wideGauges.length,
  };
}

export interface SampleValues {
  readonly values: readonly number[];
  /** Null for a row with all values in `values`. */
  readonly narrow: readonly number[] | null;
}

/** Arranges a window's samples as stored in a row: gauges followed by counters. */
export function arrangeSamples(order: SampleOrder, samples: readonly number[]): SampleValues {
  const take = (indexes: readonly number[]): number[] => indexes.map((index) => samples[index] as number);
  const narrow = take(order.narrow);
  const isNarrow = narrow.length >= NARROW_COUNT_MIN && narrow.every((value) => Math.fround(value) === value);
  return isNarrow ? { values: take(order.wide), narrow } : { values: take(order.all), narrow: null };
}

/** SQL for the value at a 1-based position of a raw row whose arrays are not null; `rawValues` combines both arrays. */
export const rawValueAt = (row: string, narrowAfter: string, place: string): string =>
  `CASE WHEN ${place} <= ${narrowAfter} THEN ${row}.values[${place}]
        WHEN ${place} <= ${narrowAfter} + cardinality(${row}.narrow) THEN ${row}.narrow[${place} - ${narrowAfter}]
        ELSE ${row}.values[${place} - cardinality(${row}.narrow)] END`;

/** SQL: all values of a raw row in the order of its layout. */
export const rawValues = (row: string, narrowAfter: string): string =>
  `(${row}.values[:${narrowAfter}] || ${row}.narrow::double precision[] || ${row}.values[${narrowAfter} + 1:])`;
