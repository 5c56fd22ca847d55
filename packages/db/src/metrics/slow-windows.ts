/**
 * Finds histogram windows by their slowest value without reading their buckets, because the maximum is a separate
 * column.
 */
import { binaryArray } from "./binary-array.ts";
import {
  type HistogramSource,
  type Piece,
  parameters,
  type ReadRange,
  sourceColumns,
  splitRange,
  unnestSources,
} from "./read-windows.ts";
import { BUCKET_MS, type Resolution } from "./retention.ts";
import type { Queryable } from "./write-rows.ts";

export interface SlowWindowsQuery {
  /** Only windows with a larger maximum are returned; in the metric's own unit. */
  readonly above: number;
  readonly order: "worst" | "newest";
  readonly countMax: number;
}

export interface FoundWindow {
  /** Index of the source, from 0. */
  readonly source: number;
  readonly endMs: number;
  readonly spanMs: number;
  readonly n: number;
  readonly max: number;
  readonly p50: number;
}

export interface FoundWindows {
  readonly windows: readonly FoundWindow[];
  /** Including those beyond `countMax`. */
  readonly totalCount: number;
}

const orders: Readonly<Record<SlowWindowsQuery["order"], string>> = {
  worst: "r.max DESC, r.ts DESC",
  newest: "r.ts DESC, r.max DESC",
};

interface Candidate {
  readonly of: Resolution;
  readonly place: number;
  readonly endMs: number;
  readonly max: number;
}

const compare: Readonly<Record<SlowWindowsQuery["order"], (a: Candidate, b: Candidate) => number>> = {
  worst: (a, b) => b.max - a.max || b.endMs - a.endMs || a.place - b.place,
  newest: (a, b) => b.endMs - a.endMs || b.max - a.max || a.place - b.place,
};

/** Works in two steps: finds the best of each resolution, then reads the other columns of the overall best. */
export async function findSlowWindows(
  db: Queryable,
  range: ReadRange,
  sources: readonly HistogramSource[],
  query: SlowWindowsQuery,
): Promise<FoundWindows> {
  const candidates: Candidate[] = [];
  let totalCount = 0;
  for (const piece of splitRange(range, sources)) {
    const found = await findCandidates(db, range, sources, query, piece);
    candidates.push(...found.candidates);
    totalCount += found.totalCount;
  }
  const chosen = candidates.sort(compare[query.order]).slice(0, query.countMax);
  const details = await readDetails(db, sources, chosen);
  const windows = chosen.flatMap((candidate) => {
    const { place, endMs, max } = candidate;
    const detail = details.get(candidate);
    return detail === undefined ? [] : [{ source: place - 1, endMs, max, ...detail }];
  });
  return { windows, totalCount };
}

/** The index covers the maximum of hourly buckets. */
async function findCandidates(
  db: Queryable,
  range: ReadRange,
  sources: readonly HistogramSource[],
  { above, order, countMax }: SlowWindowsQuery,
  { of, condition }: Piece,
): Promise<{ candidates: Candidate[]; totalCount: number }> {
  const { rows } = await db.query<{ place: string; ends: Date; max: number; total: string }>(
    `SELECT s.place, r.ts AS ends, r.max, count(*) OVER () AS total
       FROM ${unnestSources}) WITH ORDINALITY AS s (${sourceColumns}, place)
      CROSS JOIN LATERAL (
        SELECT r.ts, r.max FROM metric.hist_${of} AS r
         WHERE r.node_id = s.node_id AND r.series_id = s.id AND r.max > $8 AND ${condition}
         GROUP BY r.node_id, r.ts, r.max) AS r
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
  const candidates = rows.map(({ place, ends, max }) => ({
    of,
    place: Number(place),
    endMs: ends.getTime(),
    max,
  }));
  return { candidates, totalCount: Number(rows[0]?.total ?? 0) };
}

async function readDetails(
  db: Queryable,
  sources: readonly HistogramSource[],
  candidates: readonly Candidate[],
): Promise<Map<Candidate, Pick<FoundWindow, "spanMs" | "n" | "p50">>> {
  const details = new Map<Candidate, Pick<FoundWindow, "spanMs" | "n" | "p50">>();
  for (const [of, some] of Map.groupBy(candidates, (each) => each.of)) {
    const chosen = some.map(({ place }) => sources[place - 1] as HistogramSource);
    const { rows } = await db.query<{ place: string; span_ms: number; n: string; p50: number }>(
      `SELECT w.place, ${of === "raw" ? "r.span_ms" : BUCKET_MS[of]} AS span_ms, r.n, r.p50
         FROM unnest($1::uuid[], $2::int4[], $3::timestamptz[]) WITH ORDINALITY AS w (node_id, id, ts, place)
         JOIN metric.hist_${of} AS r ON r.node_id = w.node_id AND r.series_id = w.id AND r.ts = w.ts`,
      [
        binaryArray.uuid(chosen.map(({ nodeId }) => nodeId)),
        binaryArray.int4(chosen.map(({ seriesId }) => seriesId)),
        binaryArray.timestamptz(some.map(({ endMs }) => endMs)),
      ],
    );
    for (const { place, span_ms, n, p50 } of rows) {
      details.set(some[Number(place) - 1] as Candidate, { spanMs: span_ms, n: Number(n), p50 });
    }
  }
  return details;
}
