/**
 * Records the HDDs of the fleet by day, from the identity that agents report; no rate of SSDs is published. A drive
 * counts one day for each UTC day on which it was seen, in whatever node or slot; it keeps its days while absent, and
 * absence is not a failure.
 */
import { tiersAlike } from "@stashlight/contracts/metrics";
import { DAY_MS, YEAR_MS } from "@stashlight/contracts/time";
import { driveModelKey } from "@stashlight/devices/failures";
import type { Core } from "../core.ts";
import { newId } from "../ids.ts";
import { statementsIn } from "../statements-in.ts";

interface SeenDrive {
  readonly nodeId: string;
  readonly model: string;
  readonly serial: string;
  readonly device: string;
}

/**
 * A series carries the day on which it was last reported, so finding a day's drives needs no windows. Yesterday is
 * recorded as well, for drives that left before that day's last run.
 */
const seenSql = `
  SELECT node_id AS "nodeId", coalesce(labels ->> 'model', '') AS model, coalesce(labels ->> 'serial', '') AS serial,
         labels ->> 'device' AS device
    FROM metric.series
   WHERE metric = 'stashlight_device_info' AND used_on = $1::date AND labels ->> 'tier' = ANY ($2::text[])
     AND labels ->> 'device' IS NOT NULL
   ORDER BY node_id, id`;

/** A day counts once, even if several workers or runs record it. */
const recordSql = `
  INSERT INTO fleet_drive (id, identity, model, model_key, serial, node_id, node, vault, device, state, days_seen,
                           first_seen_on, last_seen_on)
  SELECT id, identity, model, model_key, serial, node_id, node, nullif(vault, ''), device, 'in-use', 1, $10::date, $10::date
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::text[], $9::text[])
      AS d (id, identity, model, model_key, serial, node_id, node, vault, device)
  ON CONFLICT (identity) DO UPDATE
    SET days_seen = fleet_drive.days_seen + 1, last_seen_on = excluded.last_seen_on, model = excluded.model,
        node_id = excluded.node_id, node = excluded.node, vault = excluded.vault, device = excluded.device
  WHERE fleet_drive.last_seen_on < excluded.last_seen_on`;

/** Older departures belong to another generation of drives; this limits the table. */
const KEPT_MS = 5 * YEAR_MS;

/** Records the drives of yesterday and today, and returns a sentence about the result. */
export async function recordDriveDays(platform: Core): Promise<string> {
  const nowMs = platform.now().getTime();
  await recordDay(platform, isoDay(new Date(nowMs - DAY_MS)));
  const { driveCount, placeCount } = await recordDay(platform, isoDay(new Date(nowMs)));
  const { count: forgottenCount } = await platform.db.fleetDrive.deleteMany({
    where: { lastSeenOn: { lt: new Date(nowMs - KEPT_MS) } },
  });
  const forgotten = forgottenCount === 0 ? "" : `, forgot ${forgottenCount} that left five years ago`;
  const shared = placeCount > driveCount ? `, which ${placeCount} pods share` : "";
  return `Saw ${driveCount} ${driveCount === 1 ? "HDD" : "HDDs"} of the fleet today${shared}${forgotten}.`;
}

export const isoDay = (at: Date): string => at.toISOString().slice(0, 10);

interface DaySeen {
  /** Drives by serial number. */
  readonly driveCount: number;
  /** Pods that report a serial number. */
  readonly placeCount: number;
}

async function recordDay({ db, metrics }: Core, day: string): Promise<DaySeen> {
  const { rows } = await metrics.query<SeenDrive>(seenSql, [day, tiersAlike.pod]);
  const nodes = await db.node.findMany({
    where: { id: { in: [...new Set(rows.map(({ nodeId }) => nodeId))] }, isSimulated: false },
    select: { id: true, name: true, vault: true },
  });
  const nodeById = new Map(nodes.map((node) => [node.id, node]));
  // Several pods may have folders on one drive.
  const drives = new Map(
    rows.flatMap((seen) => {
      const node = nodeById.get(seen.nodeId);
      return node === undefined ? [] : [[identityOf(seen), { ...seen, node }] as const];
    }),
  );
  const found = [...drives];
  const places = rows
    .filter(({ nodeId }) => nodeById.has(nodeId))
    .map((each) => `${each.nodeId} ${each.device}`);
  const seen = { driveCount: found.length, placeCount: new Set(places).size };
  if (found.length === 0) return seen;
  await statementsIn(db).query(recordSql, [
    found.map(() => newId()),
    found.map(([identity]) => identity),
    found.map(([, { model }]) => model),
    found.map(([, { model }]) => driveModelKey(model)),
    found.map(([, { serial }]) => serial),
    found.map(([, { nodeId }]) => nodeId),
    found.map(([, { node }]) => node.name),
    found.map(([, { node }]) => node.vault ?? ""),
    found.map(([, { device }]) => device),
    day,
  ]);
  return seen;
}

/** A drive without a serial number is identified by its place, so its replacement there counts as the same drive. */
const identityOf = ({ nodeId, model, serial, device }: SeenDrive): string =>
  serial === "" ? `${nodeId} ${device}` : `${driveModelKey(model)} ${serial}`;
