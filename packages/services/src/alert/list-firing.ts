import type { AlertSeverity, FiringAlert } from "@stashlight/contracts/alert";
import { type Context, requireRole } from "../context.ts";
import { findAcknowledgements } from "./acknowledge.ts";
import { alertPath } from "./link.ts";
import { countGroups, findVaults, withVault } from "./places.ts";
import { labelsOf, severityOf, toGroupState } from "./rows.ts";
import { activeSilences, silencedUntil } from "./silences.ts";
import { summarise } from "./summary.ts";

const rank: Record<AlertSeverity, number> = { critical: 0, warning: 1, info: 2 };
/** More are not read by anybody; the rules count them all. */
const countMax = 500;

/** What fires or waits to, worst and longest first. */
export async function listFiring({ ctx }: { ctx: Context }): Promise<FiringAlert[]> {
  requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const [states, silences, acknowledgements] = await Promise.all([
    db.alertState.findMany({
      where: { status: { in: ["pending", "firing"] } },
      orderBy: [{ status: "asc" }, { since: "asc" }],
      include: { rule: true },
      take: countMax,
    }),
    activeSilences(db, now()),
    findAcknowledgements(db),
  ]);
  const vaultOf = await findVaults(
    db,
    states.map((state) => labelsOf(state)),
  );
  const counts = await countGroups(db, [...new Set(states.map(({ ruleId }) => ruleId))]);
  return states
    .map(({ rule, ...state }) => ({
      ruleId: rule.id,
      ruleName: rule.name,
      severity: severityOf(rule),
      status: state.status === "firing" ? ("firing" as const) : ("pending" as const),
      group: state.group,
      labels: labelsOf(state),
      vault: vaultOf(labelsOf(state)),
      groupCount: counts.get(`${rule.id} ${vaultOf(labelsOf(state))}`) ?? 1,
      summary: summarise(rule, { kind: "firing", state: toGroupState(state) }),
      value: state.value,
      since: state.since,
      evaluatedAt: state.evaluatedAt,
      silencedUntil: silencedUntil(silences, rule.id, withVault(labelsOf(state), vaultOf)),
      acknowledged:
        state.status === "firing"
          ? (acknowledgements.get(`${rule.id} ${vaultOf(labelsOf(state))}`) ?? null)
          : null,
      path: alertPath(rule.id, state.group, state.since.getTime()),
    }))
    .sort(
      (a, b) =>
        a.status.localeCompare(b.status) ||
        rank[a.severity] - rank[b.severity] ||
        a.since.getTime() - b.since.getTime(),
    );
}
