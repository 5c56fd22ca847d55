/**
 * Lists failure rates of all models that the fleet has or that are known, and the drives behind the fleet's own counts.
 */

import type { FailureRates, FleetDriveRow, ModelRateRow } from "@stashlight/contracts/failure-rate";
import { fleetDriveColumns } from "@stashlight/db/columns/fleet-drive";
import { publishedFailures } from "@stashlight/devices/failures";
import { estimateModelRate, estimatePublishedRate } from "@stashlight/planner";
import { type Context, requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { isoDay } from "./drive-days.ts";
import { type FailureCounts, firstDayPresent, modelEvidence, readFailureCounts } from "./evidence.ts";
import { listQuarters } from "./quarters.ts";

/** Missing or marked drives come first, so that a truncated list omits only healthy drives in use. */
const DRIVES_MAX = 2000;
/** A slot holds only a few drives over its life. */
const PLACE_DRIVES_MAX = 5;

type FleetDrive = Awaited<ReturnType<Core["db"]["fleetDrive"]["findMany"]>>[number];

export async function listFailureRates({ ctx }: { ctx: Context }): Promise<FailureRates> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const [counts, drives, driveCount, quarters] = await Promise.all([
    readFailureCounts(platform),
    readDrives(platform),
    platform.db.fleetDrive.count(),
    listQuarters(platform.db),
  ]);
  return {
    models: listModels(counts),
    drives,
    omittedDriveCount: driveCount - drives.length,
    quarters,
  };
}

/** Installed models first, then by name. */
function listModels(counts: FailureCounts): ModelRateRow[] {
  const keys = new Set([...counts.own.keys(), ...counts.imported.keys(), ...publishedFailures.keys()]);
  return [...keys]
    .map((key): ModelRateRow => {
      const evidence = modelEvidence(counts, key);
      const { value, low, high, countedFailures } = estimateModelRate(evidence);
      const { published } = evidence;
      return {
        model: key,
        installedCount: counts.own.get(key)?.installedCount ?? 0,
        published: published && {
          ...published,
          rate: estimatePublishedRate(published),
          isImported: counts.imported.has(key),
        },
        own: evidence.own,
        rate: { value, low, high },
        countedFailures,
      };
    })
    .sort((a, b) => b.installedCount - a.installedCount || a.model.localeCompare(b.model));
}

const readDrives = async (platform: Core): Promise<FleetDriveRow[]> => {
  const rows = await platform.db.fleetDrive.findMany({
    orderBy: [{ lastSeenOn: "asc" }, { node: "asc" }, { device: "asc" }],
    take: DRIVES_MAX,
  });
  return rows.map((row) => toRow(row, platform));
};

/** Lists the drives last seen in one place, newest first: the current one, and its predecessors. */
export async function listPlaceDrives({
  ctx,
  input: { nodeId, device },
}: Verb<{ nodeId: string; device: string }>): Promise<FleetDriveRow[]> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const rows = await platform.db.fleetDrive.findMany({
    where: { nodeId, device },
    orderBy: [{ lastSeenOn: "desc" }, { firstSeenOn: "desc" }],
    take: PLACE_DRIVES_MAX,
  });
  return rows.map((row) => toRow(row, platform));
}

function toRow(row: FleetDrive, { now }: Core): FleetDriveRow {
  return {
    id: row.id,
    model: row.model,
    serial: row.serial,
    node: row.node,
    vault: row.vault,
    device: row.device,
    state: fleetDriveColumns.state.read(row.state, row.id),
    daysSeen: row.daysSeen,
    firstSeenOn: isoDay(row.firstSeenOn),
    lastSeenOn: isoDay(row.lastSeenOn),
    isGone: row.lastSeenOn < firstDayPresent(now()),
    markedBy: row.markedBy,
    markedAt: row.markedAt,
  };
}
