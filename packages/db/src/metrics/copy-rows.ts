/** Writes the rows of new batches by COPY, in the form of `insertHistograms` and `insertSamples`. */
import type pg from "pg";
import { CopyRows, copyIn, floatArrayBytes } from "./copy.ts";
import type { HistogramColumns, SampleRow } from "./write-rows.ts";

const HISTOGRAM_COLUMNS = [
  ...["node_id", "series_id", "span_ms", "ts", "n", "sum", "min", "max", "p50", "p99", "p999", "buckets"],
];
/** Bytes of a row without its buckets: 2, plus 4 and the field's length per field. */
const HISTOGRAM_BYTES = 2 + 12 * 4 + 16 + 2 * 4 + 5 * 8 + 3 * 4;

export async function copyHistograms(
  connection: pg.PoolClient,
  rows: HistogramColumns,
  spanMs: readonly number[],
): Promise<void> {
  if (rows.nodeIds.length === 0) return;
  const bucketBytes = rows.buckets.reduce((sum, { length }) => sum + length, 0);
  const copied = new CopyRows(rows.nodeIds.length * HISTOGRAM_BYTES + bucketBytes);
  for (let i = 0; i < rows.nodeIds.length; i += 1) {
    copied.row(HISTOGRAM_COLUMNS.length);
    copied.uuid(rows.nodeIds[i] as string);
    copied.int4(rows.seriesIds[i] as number);
    copied.int4(spanMs[i] as number);
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
  await copyIn(connection, "metric.hist_raw", HISTOGRAM_COLUMNS, copied.end());
}

const SAMPLE_COLUMNS = ["node_id", "ts", "layout_id", "span_ms", "values", "narrow"];
const SAMPLE_BYTES = 2 + 6 * 4 + 16 + 8 + 2 * 4;

export async function copySamples(connection: pg.PoolClient, rows: readonly SampleRow[]): Promise<void> {
  if (rows.length === 0) return;
  const arrayBytes = rows.reduce(
    (sum, { values, narrow }) =>
      sum + floatArrayBytes(8, values.length) + (narrow === null ? 0 : floatArrayBytes(4, narrow.length)),
    0,
  );
  const copied = new CopyRows(rows.length * SAMPLE_BYTES + arrayBytes);
  for (const { nodeId, tsMs, layoutId, spanMs, values, narrow } of rows) {
    copied.row(SAMPLE_COLUMNS.length);
    copied.uuid(nodeId);
    copied.moment(tsMs);
    copied.int4(layoutId);
    copied.int4(spanMs);
    copied.float8Array(values);
    if (narrow === null) copied.null();
    else copied.float4Array(narrow);
  }
  await copyIn(connection, "metric.sample_raw", SAMPLE_COLUMNS, copied.end());
}
