import { alertSeverities, type FiringCount } from "@stashlight/contracts/alert";
import { type Context, requireRole } from "../context.ts";
import { findVaults } from "./group-vaults.ts";
import { findMuting, isMuted } from "./muting.ts";
import { storedLabels, storedSeverity } from "./rule-rows.ts";

/**
 * Counts the firing causes that channels are notified about. A cause is a rule in a vault, like a row of the alerts
 * page. Leaves out silenced and inhibited alerts.
 */
export async function countFiring({ ctx }: { ctx: Context }): Promise<FiringCount> {
  requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const states = await db.alertState.findMany({
    where: { status: "firing" },
    select: {
      ruleId: true,
      group: true,
      status: true,
      labels: true,
      inhibitedBy: true,
      rule: { select: { id: true, name: true, builtInKey: true, severity: true } },
    },
  });
  if (states.length === 0) return { causeCount: 0, worst: null };
  const vaultOf = await findVaults(db, states.map(storedLabels));
  const subjects = states.map(({ rule, status, inhibitedBy, ...state }) => {
    const labels = storedLabels(state);
    return { rule, status, inhibitedBy, labels, vault: vaultOf(labels) };
  });
  const mutingOf = await findMuting(db, now(), { subjects, areNewer: false });
  const audible = subjects.filter((subject) => !isMuted(mutingOf(subject)));
  const severities = new Set(audible.map(({ rule }) => storedSeverity(rule)));
  return {
    causeCount: new Set(audible.map(({ rule, vault }) => `${rule.id} ${vault}`)).size,
    worst: alertSeverities.findLast((severity) => severities.has(severity)) ?? null,
  };
}
