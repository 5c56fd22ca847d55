/**
 * Decides which incidents of a rule are open. An incident opens with the first group that fires in a vault, includes
 * every group that fires there, and ends when none does, so the history has one row for it regardless of the number of
 * groups or messages. Pure.
 */
import type { GroupState } from "./evaluate.ts";

export type WorstMember = Pick<GroupState, "group" | "value" | "evidence">;

export interface Incident {
  readonly id: string;
  readonly vault: string;
  readonly openedMs: number;
  readonly endedMs: number | null;
  /** Groups that have fired since the incident opened. */
  readonly groups: readonly string[];
  /** Null for a stored incident whose members are all no worse than the stored value. */
  readonly worst: WorstMember | null;
  readonly worstValue: number | null;
  /** Time since it opened in which nothing evaluated its rule. */
  readonly unevaluatedSeconds: number;
}

export interface GroupIncidentsInput {
  readonly open: readonly Incident[];
  readonly firing: readonly { readonly state: GroupState; readonly vault: string }[];
  /** Time in which nothing evaluated the groups that fire, or did until now. */
  readonly unevaluatedSeconds: (vault: string) => number;
  /** True if the rule considers the first value worse than the second. */
  readonly isWorse: (value: number, than: number) => boolean;
  readonly nowMs: number;
  readonly newId: () => string;
}

/** Returns the incidents that were open or are now; unchanged ones are the same objects. */
export function groupIntoIncidents({
  open,
  firing,
  unevaluatedSeconds,
  isWorse,
  nowMs,
  newId,
}: GroupIncidentsInput): Incident[] {
  const byVault = Map.groupBy(firing, ({ vault }) => vault);
  const followed = open.map((known) => {
    const seconds = unevaluatedSeconds(known.vault);
    const incident = seconds > known.unevaluatedSeconds ? { ...known, unevaluatedSeconds: seconds } : known;
    const members = byVault.get(incident.vault);
    byVault.delete(incident.vault);
    if (members === undefined) return { ...incident, endedMs: nowMs };
    return grow(
      incident,
      members.map(({ state }) => state),
      isWorse,
    );
  });
  const opened = [...byVault].map(([vault, members]) => {
    const states = members.map(({ state }) => state);
    const openedMs = Math.min(...states.map(({ sinceMs }) => sinceMs));
    const begun = { id: newId(), vault, openedMs, endedMs: null, groups: [], worst: null, worstValue: null };
    return grow({ ...begun, unevaluatedSeconds: unevaluatedSeconds(vault) }, states, isWorse);
  });
  return [...followed, ...opened];
}

function grow(
  incident: Incident,
  states: readonly GroupState[],
  isWorse: GroupIncidentsInput["isWorse"],
): Incident {
  const known = new Set(incident.groups);
  const joining = states.flatMap(({ group }) => (known.has(group) ? [] : [group]));
  let worst: WorstMember | null = incident.groups.length === 0 ? (states[0] ?? null) : null;
  let worstValue = worst === null ? incident.worstValue : worst.value;
  for (const state of states) {
    if (state.value === null || !state.hasValue) continue;
    if (worstValue !== null && !isWorse(state.value, worstValue)) continue;
    worst = state;
    worstValue = state.value;
  }
  if (joining.length === 0 && worst === null) return incident;
  return { ...incident, groups: [...incident.groups, ...joining], worst, worstValue };
}
