import { alertSeverities, type FiringCount } from "@stashlight/contracts/alert";
import { type Context, requireRole } from "../context.ts";
import { findVaults, withVault } from "./places.ts";
import { labelsOf, severityOf } from "./rows.ts";
import { activeSilences, silencedUntil } from "./silences.ts";

/** How many causes fire and are not silenced; a cause is a rule in a vault, as a row of the alerts page is. */
export async function countFiring({ ctx }: { ctx: Context }): Promise<FiringCount> {
  requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const states = await db.alertState.findMany({
    where: { status: "firing" },
    select: {
      ruleId: true,
      group: true,
      labels: true,
      rule: { select: { id: true, severity: true } },
    },
  });
  if (states.length === 0) return { causeCount: 0, worst: null };
  const silences = await activeSilences(db, now());
  const vaultOf = await findVaults(db, states.map(labelsOf));
  const audible = states.filter(
    (state) => silencedUntil(silences, state.ruleId, withVault(labelsOf(state), vaultOf)) === null,
  );
  const severities = new Set(audible.map(({ rule }) => severityOf(rule)));
  return {
    causeCount: new Set(audible.map((state) => `${state.ruleId} ${vaultOf(labelsOf(state))}`)).size,
    worst: alertSeverities.findLast((severity) => severities.has(severity)) ?? null,
  };
}
