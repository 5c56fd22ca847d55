/** Replays a stored rule over a range, with its values and states, for the rule's chart. */

import type {
  AlertCondition,
  AlertQuery,
  AlertReplay,
  replayAlertRuleInput,
} from "@stashlight/contracts/alert";
import { StashlightError } from "@stashlight/contracts/errors";
import type { z } from "zod";
import { requireRole, type Verb } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { planRange } from "../metrics/query/plan.ts";
import { mostTelling, replay } from "./replay.ts";
import { storedCondition, storedNoData, storedQuery } from "./rule-rows.ts";
import { readGroupPoints } from "./sample.ts";
import { readUsuals } from "./usual-values.ts";

const pointCountMax = 300;
/** Smaller maximum for forecasts, because each reads all points before it. */
const forecastCountMax = 60;
/** Window length of a node; shorter points would only sometimes have a value. */
const windowMsMin = 10_000;

type Input = z.output<typeof replayAlertRuleInput>;

export async function replayAlertRule({ ctx, input }: Verb<Input, WithMerger>): Promise<AlertReplay> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const rule = await platform.db.alertRule.findUnique({ where: { id: input.ruleId } });
  if (rule === null) throw new StashlightError("not_found", "There is no such rule.");
  const [condition, query] = [storedCondition(rule), storedQuery(rule)];
  const { fromMs, toMs } = input;
  const windowMs = replayStepMs(condition);
  const plan = planRange({
    fromMs,
    toMs,
    nowMs: platform.now().getTime(),
    pointCountMax: Math.max(
      2,
      Math.min(
        condition.kind === "time-to-full" ? forecastCountMax : pointCountMax,
        Math.floor((toMs - fromMs) / windowMs),
      ),
    ),
    windowMs,
    rowsPerWindow: 1,
  });
  const [groups, usuals] = await Promise.all([
    readGroupPoints(platform, narrowed(query, input), condition, plan),
    readUsuals(platform, rule),
  ]);
  const { forSeconds, keepFiringSeconds } = rule;
  const terms = { query, condition, forSeconds, keepFiringSeconds, noData: storedNoData(rule) };
  const { sampleCount, evaluated } = replay(terms, groups, plan, ({ group }) => usuals.get(group));
  return {
    stepMs: plan.stepMs,
    sampleCount,
    groupCount: groups.length,
    groups: mostTelling(condition, evaluated),
  };
}

/** A point is as long as the window of a live evaluation, if there is one. */
const replayStepMs = (condition: AlertCondition): number =>
  "windowSeconds" in condition ? Math.max(windowMsMin, condition.windowSeconds * 1000) : windowMsMin;

const narrowed = (query: AlertQuery, { labels, vaults }: Input): AlertQuery => ({
  ...query,
  where: {
    ...(vaults && { vault: vaults }),
    ...query.where,
    ...Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, [value]])),
  },
});
