/**
 * Computes the usual value of each group of a rule: the median, over the hours of the last days, of the evaluated
 * statistic. Slowness during less than half of that time does not become usual.
 */
import {
  type AlertCondition,
  type AlertEvidence,
  type AlertPercentile,
  alertPercentiles,
} from "@stashlight/contracts/alert";
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";
import { alertUsualColumns } from "@stashlight/db/columns/alert";
import { median } from "@stashlight/stats";
import type { WithMerger } from "../metrics/query/merger.ts";
import { fromCoarsest, planRange } from "../metrics/query/plan.ts";
import type { MergedSeries } from "../metrics/query/points.ts";
import { type StoredRule, storedCondition, storedQuery } from "./rule-rows.ts";
import { readGroupPoints } from "./sample.ts";

const historyMs = 3 * DAY_MS;
/** Hours of one day; with fewer hours there is no usual value. */
export const usualHoursMin = 24;
const computedEveryMs = HOUR_MS;

export type Usuals = Partial<Record<AlertPercentile, number>>;
export type UsualsByGroup = ReadonlyMap<string, Usuals>;

/** Returns the median of each group's points; leaves out points with too few samples and groups with too few points. */
export function readUsualColumns(
  condition: AlertCondition,
  { columns }: Pick<MergedSeries, "columns">,
): Usuals {
  if (condition.kind !== "percentile" || columns.kind !== "histogram") return {};
  const usuals: Usuals = {};
  for (const percentile of alertPercentiles) {
    const hours: readonly (number | null)[] = columns[percentile];
    const values = hours.flatMap((value, index) =>
      value !== null && (columns.n[index] ?? 0) >= condition.sampleCountMin ? [value] : [],
    );
    if (values.length >= usualHoursMin) usuals[percentile] = median(values.toSorted((a, b) => a - b));
  }
  return usuals;
}

/** Adds the usual value of its statistic to the evidence, and the limit if that is lower than the threshold. */
export function withUsual(
  condition: AlertCondition,
  evidence: AlertEvidence | null,
  usuals: Usuals | undefined,
): AlertEvidence | null {
  if (evidence === null || condition.kind !== "percentile" || condition.usual === undefined) return evidence;
  const usual = evidence.statistic === "modelled" ? undefined : usuals?.[evidence.statistic];
  if (usual === undefined) return evidence;
  const { times, atLeast } = condition.usual;
  const limit = Math.max(times * usual, atLeast);
  return { ...evidence, usual, ...(limit < condition.threshold ? { limit } : {}) };
}

export async function readUsuals(
  { db }: Pick<WithMerger, "db">,
  rule: Pick<StoredRule, "id" | "condition">,
): Promise<UsualsByGroup> {
  if (!learns(storedCondition(rule))) return new Map();
  const rows = await db.alertUsual.findMany({ where: { ruleId: rule.id } });
  return new Map(
    rows.map(({ group, usuals }) => [group, alertUsualColumns.usuals.read(usuals, `${rule.id} ${group}`)]),
  );
}

const learns = (condition: AlertCondition): boolean =>
  condition.kind === "percentile" && condition.usual !== undefined;

/** Recomputes the usual values once per hour in one worker. Others use the previous ones. */
export async function refreshUsuals(platform: WithMerger, rule: StoredRule): Promise<void> {
  const condition = storedCondition(rule);
  const now = platform.now();
  const before = new Date(now.getTime() - computedEveryMs);
  if (!learns(condition) || (rule.usualAt !== null && rule.usualAt > before)) return;
  const { count } = await platform.db.alertRule.updateMany({
    where: { id: rule.id, OR: [{ usualAt: null }, { usualAt: { lte: before } }] },
    data: { usualAt: now },
  });
  if (count === 0) return;
  const plan = planRange({
    fromMs: now.getTime() - historyMs,
    toMs: now.getTime(),
    nowMs: now.getTime(),
    pointCountMax: historyMs / HOUR_MS,
    windowMs: 0,
    rowsPerWindow: 1,
  });
  const groups = await readGroupPoints(platform, storedQuery(rule), condition, fromCoarsest(plan));
  const data = groups.map(({ group, points }) => ({
    ruleId: rule.id,
    group,
    usuals: alertUsualColumns.usuals.write(readUsualColumns(condition, points)),
  }));
  await platform.db.$transaction(async (tx) => {
    await tx.alertUsual.deleteMany({ where: { ruleId: rule.id } });
    await tx.alertUsual.createMany({ data, skipDuplicates: true });
  });
}
