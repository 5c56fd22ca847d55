/** Windows of histograms by the slowest value in them, without their buckets: the maximum is stored beside them. */
import { BUCKET_MS, type Resolution } from "./layout.ts";
import {
  type HistogramSource,
  parameters,
  pieces,
  type ReadRange,
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
  /** Which of the sources, from 0. */
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
  worst: "d.max DESC, d.ends DESC",
  newest: "d.ends DESC, d.max DESC",
};

export async function findSlowWindows(
  db: Queryable,
  range: ReadRange,
  sources: readonly HistogramSource[],
  { above, order, countMax }: SlowWindowsQuery,
): Promise<FoundWindows> {
  const select = (of: Resolution): string =>
    `SELECT r.ts AS ends, ${of === "raw" ? "r.span_ms" : BUCKET_MS[of]} AS span_ms, r.n, r.max, r.p50
       FROM metric.hist_${of} AS r WHERE r.node_id = s.node_id AND r.series_id = s.id AND r.max > $8`;
  const { rows } = await db.query<{
    place: string;
    ends: Date;
    span_ms: number;
    n: string;
    max: number;
    p50: number;
    total: string;
  }>(
    `SELECT s.place, d.*, count(*) OVER () AS total
       FROM ${unnestSources}) WITH ORDINALITY AS s (${sourceColumns}, place)
      CROSS JOIN LATERAL (${pieces(range.resolution, select)}) AS d
      ORDER BY ${orders[order]}, s.place LIMIT $9`,
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
