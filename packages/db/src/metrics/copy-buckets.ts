/** Writes buckets by COPY for times without stored data, in the form of `replaceHistograms` and `rollUpSamples`. */
import type pg from "pg";
import { binaryArray } from "./binary-array.ts";
import { CopyRows, copyIn } from "./copy.ts";
import type { RollupResolution } from "./retention.ts";
import type { HistogramColumns } from "./write-rows.ts";

const HISTOGRAM_COLUMNS = [
  ...["node_id", "series_id", "ts", "n", "sum", "min", "max", "p50", "p99", "p999", "buckets"],
];
/** Bytes of a row without its buckets: 2, plus 4 and the field's length per field. */
const HISTOGRAM_BYTES = 2 + 11 * 4 + 16 + 4 + 5 * 8 + 3 * 4;

export async function copyHistogramBuckets(
  connection: pg.PoolClient,
  resolution: RollupResolution,
  rows: HistogramColumns,
): Promise<void> {
  if (rows.nodeIds.length === 0) return;
  const bucketBytes = rows.buckets.reduce((sum, { length }) => sum + length, 0);
  const copied = new CopyRows(rows.nodeIds.length * HISTOGRAM_BYTES + bucketBytes);
  for (const [i, nodeId] of rows.nodeIds.entries()) {
    copied.row(HISTOGRAM_COLUMNS.length);
    copied.uuid(nodeId);
    copied.int4(rows.seriesIds[i] as number);
    copied.moment(rows.tsMs[i] as number);
    copied.int8(rows.n[i] as number);
    copied.float8(rows.sum[i] as number);
    copied.float8(rows.min[i] as number);
    copied.float8(rows.max[i] as number);
    copied.float4(rows.p50[i] as number);
    copied.float4(rows.p99[i] as number);
    copied.float4(rows.p999[i] as number);
    copied.bytea(rows.buckets[i] as Uint8Array);
  }
  await copyIn(connection, `metric.hist_${resolution}`, HISTOGRAM_COLUMNS, copied.end());
}

/** Gauges and counters of a node in a bucket, with one element per series of that kind in the layout. */
export interface SampleBucket {
  readonly nodeId: string;
  readonly tsMs: number;
  readonly layoutId: number;
  readonly gauges: {
    readonly counts: readonly number[];
    readonly sums: readonly number[];
    readonly mins: readonly number[];
    readonly maxs: readonly number[];
    readonly lasts: readonly number[];
  };
  readonly increases: readonly number[];
}

export async function copySampleBuckets(
  connection: pg.PoolClient,
  resolution: RollupResolution,
  rows: readonly SampleBucket[],
): Promise<void> {
  const { int4, float8 } = binaryArray;
  await copyWide(
    connection,
    `metric.gauge_${resolution}`,
    ["counts", "sums", "mins", "maxs", "lasts"],
    rows,
    [
      ...[
        ({ gauges }: SampleBucket) => int4(gauges.counts),
        ({ gauges }: SampleBucket) => float8(gauges.sums),
      ],
      ...[
        ({ gauges }: SampleBucket) => float8(gauges.mins),
        ({ gauges }: SampleBucket) => float8(gauges.maxs),
      ],
      ({ gauges }: SampleBucket) => float8(gauges.lasts),
    ],
  );
  const increases = ({ increases }: SampleBucket) => float8(increases);
  await copyWide(connection, `metric.counter_${resolution}`, ["values"], rows, [increases]);
}

const WIDE_KEY = ["node_id", "ts", "layout_id"];
const WIDE_KEY_BYTES = 2 + 3 * 4 + 16 + 8 + 4;

async function copyWide(
  connection: pg.PoolClient,
  table: string,
  columns: readonly string[],
  rows: readonly SampleBucket[],
  valuesOf: readonly ((row: SampleBucket) => Buffer)[],
): Promise<void> {
  if (rows.length === 0) return;
  const arrays = rows.map((row) => valuesOf.map((of) => of(row)));
  const arrayBytes = arrays.flat().reduce((sum, { length }) => sum + length + 4, 0);
  const copied = new CopyRows(rows.length * WIDE_KEY_BYTES + arrayBytes);
  for (const [i, { nodeId, tsMs, layoutId }] of rows.entries()) {
    copied.row(WIDE_KEY.length + columns.length);
    copied.uuid(nodeId);
    copied.moment(tsMs);
    copied.int4(layoutId);
    for (const array of arrays[i] as Buffer[]) copied.bytea(array);
  }
  await copyIn(connection, table, [...WIDE_KEY, ...columns], copied.end());
}
