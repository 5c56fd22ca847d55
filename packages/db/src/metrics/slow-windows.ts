/** Windows of histograms by the slowest value in them, without their buckets: the maximum is stored beside them. */
import { BUCKET_MS, type Resolution } from "./layout.ts";
import {
  type HistogramSource,
  parameters,
  pieces,
  type ReadRange,
  resolutionsDownTo,
  sourceColumns,
  unnestSources,
} from "./read.ts";
import type { Queryable } from "./write.ts";

export interface SlowWindowsQuery {
  /** Only windows whose maximum is greater, in the metric's own unit. */
  readonly above: number;
  readonly order: "worst" | "newest";
  readonly countMax: number;
}

export interface FoundWindow {
  /** The index of the source, from 0. */
  readonly source: number;
  readonly endMs: number;
  readonly spanMs: number;
  readonly n: number;
  readonly max: number;
  readonly p50: number;
}

export interface FoundWindows {
  readonly windows: readonly FoundWindow[];
  /** With those beyond `countMax`. */
  readonly totalCount: number;
}

const orders: Readonly<Record<SlowWindowsQuery["order"], string>> = {
  worst: "max DESC, ends DESC",
  newest: "ends DESC, max DESC",
};

export async function findSlowWindows(
  db: Queryable,
  range: ReadRange,
  sources: readonly HistogramSource[],
  { above, order, countMax }: SlowWindowsQuery,
): Promise<FoundWindows> {
  // This much of hours is in an index; the rest is read for the few that are reported.
  const select = (of: Resolution): string =>
    `SELECT '${of}' AS resolution, r.ts AS ends, r.max
       FROM metric.hist_${of} AS r WHERE r.node_id = s.node_id AND r.series_id = s.id AND r.max > $8`;
  const detail = (of: Resolution): string =>
    `SELECT ${of === "raw" ? "r.span_ms" : BUCKET_MS[of]} AS span_ms, r.n, r.p50 FROM metric.hist_${of} AS r
      WHERE f.resolution = '${of}' AND r.node_id = f.node_id AND r.series_id = f.id AND r.ts = f.ends`;
  const { rows } = await db.query<{
    place: string;
    ends: Date;
    span_ms: number;
    n: string;
    max: number;
    p50: number;
    total: string;
  }>(
    `SELECT f.place, f.ends, f.max, f.total, d.* FROM (
       SELECT s.place, s.node_id, s.id, d.*, count(*) OVER () AS total
         FROM ${unnestSources}) WITH ORDINALITY AS s (${sourceColumns}, place)
        CROSS JOIN LATERAL (${pieces(range.resolution, select)}) AS d
        ORDER BY ${orders[order]}, place LIMIT $9) AS f
      CROSS JOIN LATERAL (${resolutionsDownTo(range.resolution).map(detail).join("\n UNION ALL ")}) AS d
      ORDER BY ${orders[order]}, place`,
    [
      ...parameters(
        range,
        sources,
        sources.map(({ seriesId }) => seriesId),
      ),
      above,
      countMax,
    ],
  );
  return {
    windows: rows.map(({ place, ends, span_ms, n, max, p50 }) => ({
      source: Number(place) - 1,
      endMs: ends.getTime(),
      spanMs: span_ms,
      n: Number(n),
      max,
      p50,
    })),
    totalCount: Number(rows[0]?.total ?? 0),
  };
}
