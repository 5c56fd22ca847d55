/** Counts of failures by drive model: imported or else built-in tables, and the fleet's own drives. */
import { DAY_MS } from "@stashlight/contracts/time";
import { publishedFailures } from "@stashlight/devices/failures";
import type { ModelEvidence, PublishedCounts } from "@stashlight/planner";
import type { Core } from "../core.ts";
import { statementsIn } from "../statements-in.ts";
import { isoDay } from "./drive-days.ts";

export interface OwnCounts {
  readonly driveDays: number;
  readonly failures: number;
  /** Number of drives in use that were seen today or yesterday. */
  readonly installedCount: number;
}

/** All known counts, by the key of the model. */
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

/** Drives seen on this day or later are present. */
export const firstDayPresent = (now: Date): Date => new Date(isoDay(new Date(now.getTime() - DAY_MS)));

interface ImportedSum {
  readonly key: string;
  readonly driveDays: number;
  readonly failures: number;
  readonly quarterCount: number;
  readonly firstQuarter: string;
  readonly lastQuarter: string;
  readonly from: string;
  readonly to: string;
}

const importedSql = `
  SELECT m.model_key AS key, sum(m.drive_days)::float8 AS "driveDays", sum(m.failures)::float8 AS failures,
         count(*)::int4 AS "quarterCount", min(q.name) AS "firstQuarter", max(q.name) AS "lastQuarter",
         min(q.first_day)::text AS "from", max(q.last_day)::text AS "to"
    FROM drive_stats_model AS m JOIN drive_stats_quarter AS q ON q.name = m.quarter
   GROUP BY m.model_key`;

async function readImported({ db }: Core): Promise<Map<string, PublishedCounts>> {
  const rows = await statementsIn(db).query<ImportedSum>(importedSql, []);
  return new Map(
    rows.map(({ key, driveDays, failures, from, to, ...quarters }) => [
      key,
      { source: `Drive Stats import, ${describeQuarters(quarters)}`, from, to, driveDays, failures },
    ]),
  );
}

type Quarters = Pick<ImportedSum, "quarterCount" | "firstQuarter" | "lastQuarter">;

const describeQuarters = ({ quarterCount, firstQuarter, lastQuarter }: Quarters): string =>
  quarterCount === 1 ? firstQuarter : `${quarterCount} quarters from ${firstQuarter} to ${lastQuarter}`;
