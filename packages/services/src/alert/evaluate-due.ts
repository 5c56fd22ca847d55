/**
 * Evaluates rules that are due. A worker locks the rule until its states are written and others skip it, so each rule
 * is evaluated once even if several workers poll.
 */
import type { VaultSilence } from "@stashlight/contracts/node";
import type { Prisma } from "@stashlight/db";
import type { WithMerger } from "../metrics/query/merger.ts";
import { readSilences } from "../node/silence.ts";
import { type AlertPolicy, evaluate } from "./evaluate.ts";
import { findGone } from "./gone-groups.ts";
import { readJudgedSamples } from "./judged-samples.ts";
import { recordEvaluation } from "./record.ts";
import { type StoredRule, storedCondition, storedNoData, storedQuery, toGroupState } from "./rule-rows.ts";
import { readUsuals, refreshUsuals } from "./usual-values.ts";

export const evaluationIntervalMs = 15_000;
/** Interval for a rule that fires or is pending, because pages show its value beside a tile's current value. */
export const watchedIntervalMs = 4_000;
const transactionMs = 30_000;

const toAlertPolicy = (rule: StoredRule): AlertPolicy => ({
  query: storedQuery(rule),
  condition: storedCondition(rule),
  forSeconds: rule.forSeconds,
  keepFiringSeconds: rule.keepFiringSeconds,
  noData: storedNoData(rule),
});

/** Returns the number of rules that were evaluated. */
export async function evaluateDueRules(
  platform: WithMerger,
  onError: (error: unknown) => void,
): Promise<number> {
  const now = platform.now();
  const due = await platform.db.alertRule.findMany({
    where: { isEnabled: true, OR: whenDue(now) },
    orderBy: { evaluatedAt: { sort: "asc", nulls: "first" } },
  });
  const silences = due.length === 0 ? [] : await readSilences(platform);
  let count = 0;
  for (const rule of due) {
    try {
      await refreshUsuals(platform, rule);
      if (await evaluateRule(platform, rule, silences)) count += 1;
    } catch (error) {
      onError(error);
      await noteFailure(platform, rule.id, error);
    }
  }
  return count;
}

function whenDue(now: Date): Prisma.AlertRuleWhereInput[] {
  const before = (intervalMs: number) => new Date(now.getTime() - intervalMs);
  return [
    { evaluatedAt: null },
    { evaluatedAt: { lte: before(evaluationIntervalMs) } },
    { evaluatedAt: { lte: before(watchedIntervalMs) }, states: { some: { status: { not: "ok" } } } },
  ];
}

/** Returns false if another worker has locked the rule, or has evaluated it since it was found due. */
function evaluateRule(
  platform: WithMerger,
  { id: ruleId, evaluatedAt: foundAt }: StoredRule,
  silences: readonly VaultSilence[],
): Promise<boolean> {
  const now = platform.now();
  return platform.db.$transaction(
    async (tx) => {
      const held = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM alert_rule WHERE id = ${ruleId}::uuid AND is_enabled
           AND evaluated_at IS NOT DISTINCT FROM ${foundAt}::timestamptz FOR UPDATE SKIP LOCKED`;
      if (held.length === 0) return false;
      const rule = await tx.alertRule.findUniqueOrThrow({ where: { id: ruleId } });
      const stored = await tx.alertState.findMany({ where: { ruleId } });
      const condition = storedCondition(rule);
      const usuals = await readUsuals(platform, rule);
      const previous = stored.map(toGroupState);
      const ask = { query: storedQuery(rule), condition, usuals, silences };
      const samples = await readJudgedSamples(platform, ask, now.getTime());
      const isGone = await findGone(tx, storedQuery(rule));
      const evaluation = evaluate({
        policy: toAlertPolicy(rule),
        previous,
        samples,
        nowMs: now.getTime(),
        intervalMs: evaluationIntervalMs,
        isGone,
      });
      await recordEvaluation(tx, rule, stored, evaluation, now);
      await tx.alertRule.update({ where: { id: ruleId }, data: { evaluatedAt: now, lastError: null } });
      return true;
    },
    { timeout: transactionMs },
  );
}

const errorLengthMax = 300;

async function noteFailure(platform: WithMerger, ruleId: string, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  await platform.db.alertRule.updateMany({
    where: { id: ruleId },
    data: { evaluatedAt: platform.now(), lastError: reason.slice(0, errorLengthMax) },
  });
}
