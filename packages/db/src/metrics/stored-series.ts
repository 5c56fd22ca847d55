/** Lists readable data: series, their layouts, their nodes, and gaps. */
import { binaryArray } from "./binary-array.ts";
import { LEVELS, type Watermarks } from "./read-windows.ts";
import type { Queryable, StoredGap } from "./write-rows.ts";

export interface FoundSeries {
  readonly nodeId: string;
  readonly seriesId: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** Lists series by node and id, without those of fleets. */
export async function findSeries(
  db: Queryable,
  metric: string,
  nodeIds: readonly string[] | undefined,
): Promise<FoundSeries[]> {
  // Returns a row per node: some metrics have tens of thousands of series, and a row for each would double the cost.
  const { rows } = await db.query<{ nodeId: string; ids: number[]; labels: FoundSeries["labels"][] }>(
    `SELECT node_id AS "nodeId", json_agg(id ORDER BY id) AS ids, json_agg(labels ORDER BY id) AS labels
       FROM metric.series
      WHERE metric = $1 AND ($2::uuid[] IS NULL OR node_id = ANY ($2))
        AND node_id NOT IN (SELECT node_id FROM metric.fleet) GROUP BY node_id ORDER BY node_id`,
    [metric, nodeIds ?? null],
  );
  return rows.flatMap(({ nodeId, ids, labels }) =>
    ids.map((seriesId, i) => ({ nodeId, seriesId, labels: labels[i] as FoundSeries["labels"] })),
  );
}

export interface FoundNode {
  readonly nodeId: string;
  readonly name: string;
  /** Null for a node that has been removed. */
  readonly vault: string | null;
  /** Null before the first data. */
  readonly newestMs: number | null;
  readonly windowMs: number;
  readonly isSimulated: boolean;
  /** Null before the first roll-up. */
  readonly fleetId: string | null;
  readonly watermarks: Watermarks;
}

/** Milliseconds since 1970, one column per resolution. */
const levels = (["1m", "10m", "1h"] as const).map(
  (of) => `(max(extract(epoch FROM ts)) FILTER (WHERE level = ${LEVELS[of]}) * 1000)::float8 AS w${of}`,
);

export async function findNodes(db: Queryable, nodeIds: readonly string[]): Promise<Map<string, FoundNode>> {
  const { rows } = await db.query<{
    id: string;
    name: string | null;
    vault: string | null;
    is_simulated: boolean | null;
    fleet_id: string | null;
    w1m: number;
    w10m: number;
    w1h: number;
  }>(
    `SELECT w.id, n.name, n.vault, n.is_simulated,
            f.fleet_id, coalesce(m.w1m, 0) AS w1m, coalesce(m.w10m, 0) AS w10m, coalesce(m.w1h, 0) AS w1h
       FROM unnest($1::uuid[]) AS w (id) LEFT JOIN public.node n ON n.id = w.id
       LEFT JOIN metric.fleet_member f ON f.node_id = w.id
       LEFT JOIN (SELECT node_id, ${levels.join(", ")} FROM metric.rollup_watermark
                   WHERE node_id = ANY ($1::uuid[]) GROUP BY node_id) m ON m.node_id = w.id`,
    [binaryArray.uuid(nodeIds)],
  );
  const states = await findNodeStates(db, nodeIds);
  return new Map(
    rows.map((row) => {
      const state = states.get(row.id);
      const node: FoundNode = {
        nodeId: row.id,
        name: row.name ?? row.id,
        vault: row.vault,
        newestMs: state?.newest.getTime() ?? null,
        windowMs: state?.windowMs ?? 0,
        isSimulated: state?.isSimulated ?? row.is_simulated ?? false,
        fleetId: row.fleet_id,
        watermarks: { "1m": row.w1m, "10m": row.w10m, "1h": row.w1h },
      };
      return [row.id, node];
    }),
  );
}

interface FoundState {
  readonly nodeId: string;
  readonly newest: Date;
  readonly windowMs: number;
  readonly isSimulated: boolean;
}

async function findNodeStates(db: Queryable, nodeIds: readonly string[]): Promise<Map<string, FoundState>> {
  const { rows } = await db.query<FoundState>(
    `SELECT node_id AS "nodeId", newest, window_ms AS "windowMs", is_simulated AS "isSimulated"
       FROM metric.node_state WHERE node_id = ANY ($1::uuid[])`,
    [binaryArray.uuid(nodeIds)],
  );
  return new Map(rows.map((row) => [row.nodeId, row]));
}

export interface FoundLayout {
  readonly nodeId: string;
  readonly layoutId: number;
  readonly seriesIds: readonly number[];
  /** Number of gauges, which come first; the rest are counters. */
  readonly gaugeCount: number;
  /** The position in raw rows where narrow ones begin: see `SampleOrder`. */
  readonly narrowAfter: number;
}

export async function findLayouts(db: Queryable, nodeIds: readonly string[]): Promise<FoundLayout[]> {
  const { rows } = await db.query<FoundLayout>(
    `SELECT node_id AS "nodeId", id AS "layoutId", array_to_json(series_ids) AS "seriesIds", gauge_count AS "gaugeCount",
            narrow_after AS "narrowAfter"
       FROM metric.sample_layout WHERE node_id = ANY ($1::uuid[])`,
    [binaryArray.uuid(nodeIds)],
  );
  return rows;
}

/** Returns the end of the newest stored window of these series; null if there is none. */
export async function newestHistogramMs(
  db: Queryable,
  series: readonly FoundSeries[],
): Promise<number | null> {
  const { rows } = await db.query<{ newest: Date | null }>(
    `SELECT max(coalesce(
        (SELECT max(r.ts) FROM metric.hist_raw r WHERE r.node_id = s.node_id AND r.series_id = s.id),
        (SELECT max(r.ts) FROM metric.hist_1h r WHERE r.node_id = s.node_id AND r.series_id = s.id))) AS newest
       FROM unnest($1::uuid[], $2::int4[]) AS w (node_id, id)
       JOIN metric.series AS s ON s.node_id = w.node_id AND s.id = w.id`,
    [series.map(({ nodeId }) => nodeId), series.map(({ seriesId }) => seriesId)],
  );
  return rows[0]?.newest?.getTime() ?? null;
}

/** Limit on nodes to check: the first to enrol were the first to measure. */
const EARLIEST_NODES_MAX = 20;

/** Returns the end of the earliest raw window that is still stored; null if there is none. */
export async function earliestWindowMs(db: Queryable): Promise<number | null> {
  const { rows: nodes } = await db.query<{ id: string }>(
    "SELECT id FROM public.node ORDER BY created_at LIMIT $1",
    [EARLIEST_NODES_MAX],
  );
  const { rows } = await db.query<{ earliest: Date | null }>(
    `SELECT min((SELECT min(r.ts) FROM metric.sample_raw AS r WHERE r.node_id = s.node_id)) AS earliest
       FROM metric.node_state AS s WHERE s.node_id = ANY ($1::uuid[])`,
    [nodes.map(({ id }) => id)],
  );
  return rows[0]?.earliest?.getTime() ?? null;
}

export async function findGaps(
  db: Queryable,
  nodeIds: readonly string[],
  range: { readonly fromMs: number; readonly toMs: number },
  countMax: number,
): Promise<StoredGap[]> {
  const { rows } = await db.query<{ nodeId: string; reason: string; start: Date; end: Date }>(
    `SELECT node_id AS "nodeId", reason, start_ts AS start, end_ts AS end FROM metric.gap
      WHERE node_id = ANY ($1::uuid[]) AND start_ts < $3 AND end_ts > $2 ORDER BY start_ts DESC LIMIT $4`,
    [nodeIds, new Date(range.fromMs), new Date(range.toMs), countMax],
  );
  return rows.map(({ nodeId, reason, start, end }) => ({
    nodeId,
    reason,
    startMs: start.getTime(),
    endMs: end.getTime(),
  }));
}

/** Limit on a list offered as choices. */
const DEVICES_MAX = 200;

/** Finds drives whose name contains one of the words. */
export async function findDevices(
  db: Queryable,
  words: readonly string[],
): Promise<{ readonly nodeId: string; readonly device: string }[]> {
  const { rows } = await db.query<{ nodeId: string; device: string }>(
    `SELECT DISTINCT s.node_id AS "nodeId", s.device FROM metric.series AS s
      WHERE s.device IS NOT NULL AND s.node_id NOT IN (SELECT node_id FROM metric.fleet)
        AND EXISTS (SELECT FROM unnest($1::text[]) AS word WHERE strpos(lower(s.device), lower(word)) > 0)
      ORDER BY s.device, s.node_id LIMIT ${DEVICES_MAX}`,
    [words],
  );
  return rows;
}
