import { type AlertSeverity, describeEnd, type FiringAlert, ruleUnit } from "@stashlight/contracts/alert";
import { silenceOfLabels, type VaultSilence } from "@stashlight/contracts/node";
import { type Context, requireRole } from "../context.ts";
import { readSilences } from "../node/silence.ts";
import { present } from "../present.ts";
import { findAcknowledgements } from "./acknowledge.ts";
import type { GroupState } from "./evaluate.ts";
import { countGroups, findVaults } from "./group-vaults.ts";
import { alertPath } from "./link.ts";
import { findMuting } from "./muting.ts";
import {
  type StoredRule,
  storedCondition,
  storedLabels,
  storedNoData,
  storedQuery,
  storedSeverity,
  toGroupState,
} from "./rule-rows.ts";
import { describeGroups, lastToEnd, summarise, worstState } from "./summary.ts";

const rank: Record<AlertSeverity, number> = { critical: 0, warning: 1, info: 2 };
/** Limited because longer lists are not read; counts include all alerts. */
const countMax = 500;

/** The groups of a rule in one vault are one incident. */
const incidentKey = ({ rule, vault }: { rule: StoredRule; vault: string }) => `${rule.id} ${vault}`;

interface ListedState {
  readonly rule: StoredRule;
  readonly state: GroupState;
  readonly status: string;
  readonly vault: string;
}

interface Incident {
  readonly summary: string;
  readonly worstGroup: string;
  readonly end: string | null;
}

/** Returns the sentence, worst group and end of each incident. Pending groups count only if none fires. */
function describeIncidents(
  listed: readonly ListedState[],
  groupCounts: ReadonlyMap<string, number>,
): Map<string, Incident> {
  return new Map(
    [...Map.groupBy(listed, incidentKey)].map(([key, members]) => {
      const { rule, vault } = present(members[0]);
      const firing = members.filter(({ status }) => status === "firing");
      const described = (firing.length > 0 ? firing : members).map(({ state }) => state);
      const groupCount = groupCounts.get(key) ?? described.length;
      const summary = describeGroups(rule, described, { vault, groupCount });
      const worstGroup = (worstState(rule, described) ?? present(described[0])).group;
      return [key, { summary, worstGroup, end: describeEnd(present(lastToEnd(described))) }];
    }),
  );
}

/** Drops the value of a silent node, even if the rule was evaluated just before the silence was noticed. */
function withoutOldValue(
  rule: StoredRule,
  state: GroupState,
  silences: readonly VaultSilence[],
  nowMs: number,
): GroupState {
  const seconds = storedCondition(rule).kind === "absence" ? null : silenceOfLabels(state.labels, silences);
  if (seconds === null) return state;
  const endsMs = storedNoData(rule) === "ok" ? state.endsMs : null;
  return { ...state, hasValue: false, endsMs, evaluatedMs: nowMs, sampleMs: nowMs - 1000 * seconds };
}

/** An absence rule has no measured value. */
const measuredFigures = (rule: StoredRule, { value, hasValue, evidence, sampleMs }: GroupState) => ({
  ...(storedCondition(rule).kind === "absence"
    ? { value: null, hasValue: false, measuredAt: null }
    : { value, hasValue, measuredAt: new Date(sampleMs) }),
  sampleCount: evidence?.sampleCount ?? null,
  unit: ruleUnit({ query: storedQuery(rule), condition: storedCondition(rule) }),
});

function watchedBy(rule: StoredRule): FiringAlert["watched"] {
  const { metric, where } = storedQuery(rule);
  return { metric, where, isForecast: storedCondition(rule).kind === "time-to-full" };
}

/** Lists what is firing or pending, worst and longest first. */
export async function listFiring({ ctx }: { ctx: Context }): Promise<FiringAlert[]> {
  requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const [states, acknowledgements, silences] = await Promise.all([
    db.alertState.findMany({
      where: { status: { in: ["pending", "firing"] } },
      orderBy: [{ status: "asc" }, { since: "asc" }],
      include: { rule: true },
      take: countMax,
    }),
    findAcknowledgements(db),
    readSilences(ctx.platform),
  ]);
  const vaultOf = await findVaults(
    db,
    states.map((state) => storedLabels(state)),
  );
  const counts = await countGroups(db, [...new Set(states.map(({ ruleId }) => ruleId))]);
  const subjects = states.map(({ rule, ...stored }) => {
    const labels = storedLabels(stored);
    const { status, inhibitedBy } = stored;
    const state = withoutOldValue(rule, toGroupState(stored), silences, now().getTime());
    const { evaluatedAt } = stored;
    return { rule, state, evaluatedAt, status, inhibitedBy, labels, vault: vaultOf(labels) };
  });
  const incidents = describeIncidents(subjects, counts);
  const mutingOf = await findMuting(db, now(), { subjects, areNewer: false });
  return subjects
    .map((subject) => {
      const { rule, state, evaluatedAt, labels, vault } = subject;
      const { silence, inhibitor } = mutingOf(subject);
      const isFiring = state.status === "firing";
      const incident = present(incidents.get(incidentKey(subject)));
      return {
        ruleId: rule.id,
        ruleName: rule.name,
        severity: storedSeverity(rule),
        status: isFiring ? ("firing" as const) : ("pending" as const),
        group: state.group,
        labels,
        vault,
        watched: watchedBy(rule),
        groupCount: counts.get(incidentKey(subject)) ?? 1,
        summary: summarise(rule, state),
        incidentSummary: incident.summary,
        ...measuredFigures(rule, state),
        incidentEnd: incident.end,
        isWorst: state.group === incident.worstGroup,
        since: new Date(state.sinceMs),
        evaluatedAt,
        silencedUntil: silence?.endsAt ?? null,
        isInMaintenance: silence?.isMaintenance ?? false,
        inhibitedBy: inhibitor,
        acknowledged: isFiring ? (acknowledgements.get(`${rule.id} ${vault}`) ?? null) : null,
        path: alertPath(rule.id, state.group, state.sinceMs, now().getTime()),
      };
    })
    .sort(
      (a, b) =>
        a.status.localeCompare(b.status) ||
        rank[a.severity] - rank[b.severity] ||
        a.since.getTime() - b.since.getTime(),
    );
}
