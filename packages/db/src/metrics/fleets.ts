/**
 * Fleets: the nodes of a vault, and all vaults together; measured and simulated ones are separate. Measurements of a
 * fleet are merged in advance, per bucket and resolution, so that a chart of a thousand nodes reads hundreds of rows
 * instead of hundreds of thousands. In the metric tables a fleet is a node of its own, whose series lack the labels
 * that name a single drive or peer.
 *
 * A gauge of a fleet has three series, whose label `across` names how members' levels are merged: sum, minimum or
 * maximum. Their count is the number of the members' series that reported a level in the bucket, and their sum is the
 * sum, the minimum or the maximum of the members' averages.
 *
 *     node -> fleet of its vault -> whole fleet, with the empty vault's name, which also has nodes without a vault
 *
 * A bucket of a fleet is the sum of its members' buckets of the same resolution and end. A transaction that replaces
 * one of these also marks the fleet's bucket, at a separate level.
 */
import { binaryArray } from "./binary-array.ts";
import { LEVELS } from "./read-windows.ts";
import type { RollupResolution } from "./retention.ts";
import { markDue, type Queryable, type RollupMark } from "./write-rows.ts";

/** Labels that name a drive or a peer of one node, which fleets do not distinguish. */
const INDIVIDUAL_LABELS: readonly string[] = ["device", "stash", "pod", "peer"];
const UNPURGED_LABELS = INDIVIDUAL_LABELS.filter((label) => label !== "pod");

/** Queries of whole fleets need the pod that a stash waits for, so that label is kept. */
export const individualLabels = (metric: string): readonly string[] =>
  metric === "stashlight_stash_unpurged_shards" ? UNPURGED_LABELS : INDIVIDUAL_LABELS;

/** Rules for merging a gauge's series of the members into the fleet's. */
export const FLEET_ACROSS = ["sum", "min", "max"] as const;
export type FleetAcross = (typeof FLEET_ACROSS)[number];

export const FLEET_LEVELS: Readonly<Record<RollupResolution, number>> = {
  "1m": LEVELS["1m"] + 10,
  "10m": LEVELS["10m"] + 10,
  "1h": LEVELS["1h"] + 10,
};

const KINDS = ["hist", "gauge", "counter"] as const;

const unnestNodes = "unnest($1::uuid[]) AS w (node_id)";

/**
 * Marks the buckets of the fleets that contain these nodes' buckets, in the same transaction that replaces the latter.
 */
export async function markFleets(
  db: Queryable,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
): Promise<void> {
  const nodeIds = [...new Set(marks.map(({ nodeId }) => nodeId))];
  const fleets = await assignFleets(db, nodeIds);
  const ofFleets = new Map(
    marks.flatMap(({ nodeId, tsMs }) => {
      const fleetId = fleets.get(nodeId);
      return fleetId === undefined ? [] : [[`${fleetId} ${tsMs}`, { nodeId: fleetId, tsMs }]];
    }),
  );
  await markDue(db, FLEET_LEVELS[resolution], [...ofFleets.values()]);
}

async function assignFleets(db: Queryable, nodeIds: readonly string[]): Promise<Map<string, string>> {
  const known = await readMembers(db, nodeIds);
  const strangers = nodeIds.filter((nodeId) => !known.has(nodeId));
  if (strangers.length === 0 || !(await join(db, strangers))) return known;
  return readMembers(db, nodeIds);
}

async function readMembers(db: Queryable, nodeIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ nodeId: string; fleetId: string }>(
    `SELECT node_id AS "nodeId", fleet_id AS "fleetId" FROM metric.fleet_member WHERE node_id = ANY ($1::uuid[])`,
    [binaryArray.uuid(nodeIds)],
  );
  return new Map(rows.map(({ nodeId, fleetId }) => [nodeId, fleetId]));
}

/**
 * Adds nodes to their fleets; a node stays in its first fleet. Marks data that is already stored. Returns true if a
 * node was added.
 */
async function join(db: Queryable, nodeIds: readonly string[]): Promise<boolean> {
  const strangers = await findStrangers(db, nodeIds);
  if (strangers.length === 0) return false;
  const vaults = strangers.flatMap(({ vault, isSimulated }) => [
    { vault, isSimulated },
    { vault: "", isSimulated },
  ]);
  await db.query(
    `INSERT INTO metric.fleet (node_id, vault, is_simulated)
     SELECT gen_random_uuid(), vault, is_simulated
       FROM (SELECT DISTINCT vault, is_simulated FROM unnest($1::text[], $2::bool[]) AS n (vault, is_simulated)) AS d
      ORDER BY vault, is_simulated
     ON CONFLICT (vault, is_simulated) DO NOTHING`,
    [vaults.map(({ vault }) => vault), vaults.map(({ isSimulated }) => isSimulated)],
  );
  const { rowCount } = await db.query(
    `INSERT INTO metric.fleet_member (node_id, fleet_id)
     SELECT n.node_id, f.node_id FROM unnest($1::uuid[], $2::text[], $3::bool[]) AS n (node_id, vault, is_simulated)
       JOIN metric.fleet AS f USING (vault, is_simulated)
      ORDER BY n.node_id
     ON CONFLICT (node_id) DO NOTHING`,
    [
      binaryArray.uuid(strangers.map(({ nodeId }) => nodeId)),
      strangers.map(({ vault }) => vault),
      strangers.map(({ isSimulated }) => isSimulated),
    ],
  );
  const { rows: ofVaults } = await db.query<{ id: string }>(
    `INSERT INTO metric.fleet_member (node_id, fleet_id)
     SELECT f.node_id, w.node_id FROM metric.fleet AS f JOIN metric.fleet AS w USING (is_simulated)
      WHERE f.vault <> '' AND w.vault = '' ORDER BY f.node_id
     ON CONFLICT (node_id) DO NOTHING RETURNING node_id AS id`,
  );
  const joined = binaryArray.uuid([...nodeIds, ...ofVaults.map(({ id }) => id)]);
  for (const resolution of ["1m", "10m", "1h"] as const) {
    await db.query(
      `INSERT INTO metric.rollup_due (node_id, level, ts)
       SELECT m.fleet_id, $2::smallint, r.ts
         FROM (${KINDS.map((kind) => `SELECT node_id, ts FROM metric.${kind}_${resolution} WHERE node_id = ANY ($1::uuid[])`).join(" UNION ")}) AS r
         JOIN metric.fleet_member AS m ON m.node_id = r.node_id
        GROUP BY 1, 3 ORDER BY 1, 3
       ON CONFLICT (node_id, level, ts) DO UPDATE SET marks = rollup_due.marks + 1`,
      [joined, FLEET_LEVELS[resolution]],
    );
  }
  return (rowCount ?? 0) > 0;
}

interface Stranger {
  readonly nodeId: string;
  /** Empty for a node without a vault. */
  readonly vault: string;
  readonly isSimulated: boolean;
}

/** Finds the vaults of these nodes, which determine their fleets; leaves out nodes that are fleets. */
async function findStrangers(db: Queryable, nodeIds: readonly string[]): Promise<Stranger[]> {
  const ids = [binaryArray.uuid(nodeIds)];
  const { rows: states } = await db.query<{ nodeId: string; isSimulated: boolean }>(
    `SELECT node_id AS "nodeId", is_simulated AS "isSimulated" FROM metric.node_state WHERE node_id = ANY ($1::uuid[])`,
    ids,
  );
  const isSimulatedOf = new Map(states.map(({ nodeId, isSimulated }) => [nodeId, isSimulated]));
  const { rows } = await db.query<{ nodeId: string; vault: string; isSimulated: boolean | null }>(
    `SELECT w.node_id AS "nodeId", coalesce(n.vault, '') AS vault, n.is_simulated AS "isSimulated"
       FROM ${unnestNodes} LEFT JOIN public.node n ON n.id = w.node_id
      WHERE w.node_id NOT IN (SELECT node_id FROM metric.fleet)`,
    ids,
  );
  return rows.map(({ nodeId, vault, isSimulated }) => ({
    nodeId,
    vault,
    isSimulated: isSimulated ?? isSimulatedOf.get(nodeId) ?? false,
  }));
}

/** Counts the members of the largest fleet. */
export async function mostFleetMembers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM metric.fleet_member GROUP BY fleet_id ORDER BY 1 DESC LIMIT 1",
  );
  return rows[0]?.count ?? 0;
}

export interface FleetPart {
  /** One of the requested marks. */
  readonly mark: RollupMark;
  readonly metric: string;
  readonly unit: string;
  /** Labels except the individual ones. */
  readonly labels: Readonly<Record<string, string>>;
  /** The members' buckets, in the form of `readHistograms`. */
  readonly packed: string;
}

/** Reads the members' histograms for these buckets of fleets. */
export async function readFleetParts(
  db: Queryable,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
): Promise<FleetPart[]> {
  // The outer bounds are literals, so that the planner skips other partitions. The grouping, of a single row, keeps
  // each bucket an index lookup: a planner that expects only one bucket would scan all members for each.
  const bound = (ms: number): string => `'${new Date(ms).toISOString()}'::timestamptz`;
  const least = marks.reduce((least, { tsMs }) => Math.min(least, tsMs), Number.POSITIVE_INFINITY);
  const most = marks.reduce((most, { tsMs }) => Math.max(most, tsMs), 0);
  const { rows } = await db.query<Omit<FleetPart, "mark"> & { place: string }>(
    `SELECT w.place, s.metric, s.unit, s.labels - $3::text[] AS labels, encode(string_agg(r.packed, ''), 'hex') AS packed
       FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS w (fleet_id, ts, place)
       JOIN metric.fleet_member AS m ON m.fleet_id = w.fleet_id
       JOIN metric.series AS s ON s.node_id = m.node_id AND s.kind = 'histogram'
      CROSS JOIN LATERAL (
         SELECT string_agg(timestamptz_send(r.ts) || float8send(r.n) || float8send(r.sum) || float8send(r.min)
                  || float8send(r.max) || int4send(length(r.buckets)) || r.buckets, '') AS packed
           FROM metric.hist_${resolution} AS r
          WHERE r.node_id = s.node_id AND r.series_id = s.id AND r.ts = w.ts
            AND r.ts >= ${bound(least)} AND r.ts <= ${bound(most)} GROUP BY r.node_id) AS r
      GROUP BY 1, 2, 3, 4`,
    [
      binaryArray.uuid(marks.map(({ nodeId }) => nodeId)),
      binaryArray.timestamptz(marks.map(({ tsMs }) => tsMs)),
      INDIVIDUAL_LABELS,
    ],
  );
  return rows.map(({ place, ...rest }) => ({ ...rest, mark: marks[Number(place) - 1] as RollupMark }));
}

export interface FoundFleetSeries {
  readonly fleetId: string;
  /** The whole fleet that contains this fleet; null for a whole fleet. */
  readonly parentId: string | null;
  readonly seriesId: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Number of members' series that are merged into the fleet and have reported since the given moment. */
  readonly memberSeriesCount: number;
}

/** Fleets do not answer while more of their buckets are due, for example after a history was imported. */
const PENDING_COUNT_MAX = 500;

/** Finds the series of all fleets for one metric; for a gauge, those with one merge rule. */
export async function findFleetSeries(
  db: Queryable,
  metric: string,
  across: FleetAcross | null,
  sinceMs: number,
): Promise<FoundFleetSeries[]> {
  const { rows } = await db.query<FoundFleetSeries>(
    `WITH own AS (
       SELECT m.fleet_id, s.labels - $2::text[] AS labels, count(*) AS count
         FROM metric.series AS s JOIN metric.fleet_member AS m ON m.node_id = s.node_id
         LEFT JOIN metric.node_state AS t ON t.node_id = s.node_id
        WHERE s.metric = $1 AND coalesce(t.newest, 'infinity') > $3
          AND s.node_id NOT IN (SELECT node_id FROM metric.fleet) GROUP BY 1, 2),
     every AS (
       SELECT * FROM own
       UNION ALL SELECT m.fleet_id, o.labels, o.count FROM own AS o JOIN metric.fleet_member AS m ON m.node_id = o.fleet_id)
     SELECT e.fleet_id AS "fleetId", p.fleet_id AS "parentId", f.id AS "seriesId", e.labels, e.count AS "memberSeriesCount"
       FROM (SELECT fleet_id, labels, sum(count)::int AS count FROM every GROUP BY 1, 2) AS e
       JOIN metric.series AS f ON f.node_id = e.fleet_id AND f.metric = $1 AND f.labels = e.labels || $4::jsonb
       LEFT JOIN metric.fleet_member AS p ON p.node_id = e.fleet_id`,
    [metric, individualLabels(metric), new Date(sinceMs), JSON.stringify(across === null ? {} : { across })],
  );
  return rows;
}

/** True if too many fleet buckets are due, so that answers would be outdated. */
export async function areFleetsPending(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count
       FROM (SELECT level FROM metric.rollup_due WHERE level > ${LEVELS["1h"]} LIMIT ${PENDING_COUNT_MAX + 1}) AS due`,
  );
  return (rows[0]?.count ?? 0) > PENDING_COUNT_MAX;
}
