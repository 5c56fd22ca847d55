/** Counts of failures by drive model: imports or else the built-in tables, and the fleet's own drives. */
import { publishedFailures } from "@stashlight/devices/failures";
import type { ModelEvidence, PublishedCounts } from "@stashlight/planner";
import type { Core } from "../core.ts";
import { isoDay } from "./drive-days.ts";

export interface OwnCounts {
  readonly driveDays: number;
  readonly failures: number;
  /** Drives in use that were seen today or yesterday. */
  readonly installedCount: number;
}

/** Everything that is known, by the key of the model. */
export interface FailureCounts {
  readonly own: ReadonlyMap<string, OwnCounts>;
  readonly imported: ReadonlyMap<string, PublishedCounts>;
}

export async function readFailureCounts(platform: Core): Promise<FailureCounts> {
  const [own, imported] = await Promise.all([readOwn(platform), readImported(platform)]);
  return { own, imported };
}

export function modelEvidence({ own, imported }: FailureCounts, key: string): ModelEvidence {
  const { driveDays = 0, failures = 0 } = own.get(key) ?? {};
  const published = imported.get(key) ?? publishedFailures.get(key) ?? null;
  return { model: key, published, own: { driveDays, failures } };
}

async function readOwn({ db, now }: Core): Promise<Map<string, OwnCounts>> {
  const rows = await db.fleetDrive.groupBy({
    by: ["modelKey", "state"],
    _sum: { daysSeen: true },
    _count: true,
  });
  const present = await db.fleetDrive.groupBy({
    by: ["modelKey"],
    where: { state: "in-use", lastSeenOn: { gte: firstDayPresent(now()) } },
    _count: true,
  });
  const installed = new Map(present.map(({ modelKey, _count }) => [modelKey, _count]));
  const counts = new Map<string, OwnCounts>();
  for (const { modelKey, state, _sum, _count } of rows) {
    const sum = counts.get(modelKey);
    counts.set(modelKey, {
      driveDays: (sum?.driveDays ?? 0) + (_sum.daysSeen ?? 0),
      failures: (sum?.failures ?? 0) + (state === "failed" ? _count : 0),
      installedCount: installed.get(modelKey) ?? 0,
    });
  }
  return counts;
}

/** A drive that was seen on this day or later is there. */
export const firstDayPresent = (now: Date): Date => new Date(isoDay(new Date(now.getTime() - 86_400_000)));

async function readImported({ db }: Core): Promise<Map<string, PublishedCounts>> {
  const rows = await db.driveStatsModel.findMany({
    include: { quarter: { select: { name: true, firstDay: true, lastDay: true } } },
    orderBy: { quarterName: "asc" },
  });
  const byModel = Map.groupBy(rows, ({ modelKey }) => modelKey);
  return new Map(
    [...byModel].map(([key, ofModel]) => {
      const names = [...new Set(ofModel.map(({ quarterName }) => quarterName))];
      const [first, last] = [ofModel[0]?.quarter, ofModel.at(-1)?.quarter];
      return [
        key,
        {
          source: `Drive Stats import, ${names.length === 1 ? names[0] : `${names.length} quarters from ${names[0]} to ${names.at(-1)}`}`,
          from: first === undefined ? "" : isoDay(first.firstDay),
          to: last === undefined ? "" : isoDay(last.lastDay),
          driveDays: ofModel.reduce((sum, { driveDays }) => sum + Number(driveDays), 0),
          failures: ofModel.reduce((sum, { failures }) => sum + failures, 0),
        },
      ];
    }),
  );
}
