/** Reads and writes a rule's incidents in the transaction of its evaluation. */
import type { Prisma, Transaction } from "@stashlight/db";
import { newId } from "../ids.ts";
import type { FiringGroup } from "./alert-grouping.ts";
import type { GroupState } from "./evaluate.ts";
import type { VaultOf } from "./group-vaults.ts";
import { groupIntoIncidents, type Incident } from "./incident-grouping.ts";
import { type StoredRule, storedSeverity } from "./rule-rows.ts";
import { compareByRule, describeIncident, describeWorstMember } from "./summary.ts";

type StoredIncident = Prisma.AlertIncidentGetPayload<object>;

export interface FollowedIncidents {
  /** Returns the incident of a vault, open or ended by this evaluation. */
  readonly of: (vault: string) => Incident | undefined;
  /** Writes changed incidents; a new one stores why channels are not notified, if it is muted. */
  readonly write: (firing: readonly FiringGroup[]) => Promise<void>;
}

export async function followStoredIncidents(
  tx: Transaction,
  rule: StoredRule,
  { states, vaultOf, now }: { states: readonly GroupState[]; vaultOf: VaultOf; now: Date },
): Promise<FollowedIncidents> {
  const stored = await tx.alertIncident.findMany({ where: { ruleId: rule.id, endedAt: null } });
  const open = stored.map(toIncident);
  const firing = states
    .filter(({ status }) => status === "firing")
    .map((state) => ({ state, vault: vaultOf(state.labels) }));
  const isWorse = compareByRule(rule);
  const byVaultOfState = Map.groupBy(states, ({ labels }) => vaultOf(labels));
  const unevaluatedSeconds = (vault: string): number =>
    Math.max(0, ...(byVaultOfState.get(vault) ?? []).map((state) => state.unevaluatedSeconds));
  const nowMs = now.getTime();
  const followed = groupIntoIncidents({ open, firing, unevaluatedSeconds, isWorse, nowMs, newId });
  const byVault = new Map(followed.map((incident) => [incident.vault, incident]));
  const before = new Map(stored.map((row) => [row.id, row]));
  return {
    of: (vault) => byVault.get(vault),
    write: async (members) => {
      for (const [index, incident] of followed.entries()) {
        if (incident === open[index]) continue;
        await writeIncident(tx, rule, incident, before.get(incident.id), members);
      }
    },
  };
}

async function writeIncident(
  tx: Transaction,
  rule: StoredRule,
  incident: Incident,
  stored: StoredIncident | undefined,
  members: readonly FiringGroup[],
): Promise<void> {
  const { id, vault, openedMs, endedMs, groups, worst, worstValue, unevaluatedSeconds } = incident;
  const endedAt = endedMs === null ? null : new Date(endedMs);
  const most = {
    worst: worst === null ? (stored?.worst ?? "") : describeWorstMember(rule, worst),
    worstGroup: worst?.group ?? stored?.worstGroup ?? "",
  };
  const found = {
    endedAt,
    groups: [...groups],
    worstValue,
    unevaluatedSeconds,
    ...most,
    summary: describeIncident(rule, { vault, groups, unevaluatedSeconds, ...most }),
  };
  if (stored !== undefined) {
    await tx.alertIncident.update({ where: { id }, data: found });
    return;
  }
  const own = members.filter((member) => member.vault === vault);
  const isMuted = own.every(({ mutedBy }) => mutedBy !== null);
  const named = { ruleId: rule.id, ruleName: rule.name, severity: storedSeverity(rule), vault };
  const mutedBy = isMuted ? (own[0]?.mutedBy ?? null) : null;
  await tx.alertIncident.create({ data: { id, ...named, openedAt: new Date(openedMs), mutedBy, ...found } });
}

const toIncident = ({
  id,
  vault,
  openedAt,
  groups,
  worstValue,
  unevaluatedSeconds,
}: StoredIncident): Incident => ({
  id,
  vault,
  groups,
  worstValue,
  unevaluatedSeconds,
  openedMs: openedAt.getTime(),
  endedMs: null,
  worst: null,
});
