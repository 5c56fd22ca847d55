/**
 * Decides which messages channels get, and when. Groups of a rule that fire in one vault are one incident, with one
 * message:
 *
 *   begins   after half a minute, with the groups that fire by then; not sent if a silence or an inhibition covers all
 *            of them by then
 *   grows    groups that fire later, after five minutes, with all others that still fire, acknowledged or not
 *   reminds  at the interval of the rule, unless the incident is acknowledged
 *   ends     when the last group ends, not when any other does
 *
 * Messages of an incident, and each of its groups, name the event with which it began. Pure.
 */
import type { GroupState } from "./evaluate.ts";

export const groupWaitMs = 30_000;
export const groupIntervalMs = 300_000;

export interface FiringGroup {
  readonly state: GroupState;
  readonly vault: string;
  /** Reason why channels are not notified: a silence, or an alert that inhibits this one. */
  readonly mutedBy: string | null;
  /**
   * Event with which the group's incident began, once channels were notified of it; before that, the event with which
   * the group began.
   */
  readonly firingEventId: string;
  /** Time of the last message about the group's incident; null while channels do not know of this group. */
  readonly notifiedMs: number | null;
}

/** An ended group that channels were notified of, with the event of its end. */
export interface EndedGroup {
  readonly state: GroupState;
  readonly firingEventId: string;
  readonly eventId: string;
}

export type ChannelNotice =
  | { readonly kind: "begins"; readonly firingEventId: string; readonly groups: readonly FiringGroup[] }
  /** The queued message still accepts further groups. */
  | { readonly kind: "joins"; readonly firingEventId: string; readonly groups: readonly FiringGroup[] }
  /** The queued message is not sent, because all of its groups have been muted. */
  | { readonly kind: "withdraws"; readonly firingEventId: string; readonly groups: readonly FiringGroup[] }
  /** Groups began to fire after the first message was sent. */
  | {
      readonly kind: "grows";
      readonly firingEventId: string;
      readonly groups: readonly FiringGroup[];
      readonly joining: readonly FiringGroup[];
    }
  | { readonly kind: "reminds"; readonly firingEventId: string; readonly groups: readonly FiringGroup[] }
  | { readonly kind: "ends"; readonly firingEventId: string; readonly groups: readonly EndedGroup[] };

export interface GroupingInput {
  readonly firing: readonly FiringGroup[];
  readonly ended: readonly EndedGroup[];
  /** 0 means no reminders. */
  readonly remindSeconds: number;
  readonly nowMs: number;
  /** Incidents whose first message has not been sent. */
  readonly unsent: ReadonlySet<string>;
  /** Vaults in which the rule is acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
}

export function decideNotices({
  firing,
  ended,
  remindSeconds,
  nowMs,
  unsent,
  acknowledged,
}: GroupingInput): ChannelNotice[] {
  const notified = Map.groupBy(
    firing.filter(({ notifiedMs }) => notifiedMs !== null),
    ({ firingEventId }) => firingEventId,
  );
  const notices: ChannelNotice[] = [...Map.groupBy(ended, ({ firingEventId }) => firingEventId)]
    .filter(([firingEventId]) => !notified.has(firingEventId))
    .map(([firingEventId, groups]) => ({ kind: "ends", firingEventId, groups }));
  const news = Map.groupBy(
    firing.filter(({ notifiedMs, mutedBy }) => notifiedMs === null && mutedBy === null),
    ({ vault }) => vault,
  );
  for (const [firingEventId, members] of notified) {
    const notifiedMs = Math.max(...members.map((member) => member.notifiedMs ?? 0));
    const vault = members[0]?.vault ?? "";
    const joining = news.get(vault) ?? [];
    // A muted group is not mentioned, but still keeps its incident open.
    const groups = [...members, ...joining].filter(({ mutedBy }) => mutedBy === null);
    if (groups.length === 0) {
      if (unsent.has(firingEventId)) notices.push({ kind: "withdraws", firingEventId, groups: members });
      continue;
    }
    const sinceMs = nowMs - notifiedMs;
    const isDue = !acknowledged.has(vault) && remindSeconds > 0 && sinceMs >= remindSeconds * 1000;
    if (joining.length > 0 && unsent.has(firingEventId))
      notices.push({ kind: "joins", firingEventId, groups });
    else if (joining.length > 0 && sinceMs >= groupIntervalMs) {
      notices.push({ kind: "grows", firingEventId, groups, joining });
    } else if (isDue) notices.push({ kind: "reminds", firingEventId, groups });
    news.delete(vault);
  }
  for (const groups of news.values()) {
    const [first] = groups;
    if (first !== undefined) notices.push({ kind: "begins", firingEventId: first.firingEventId, groups });
  }
  return notices;
}
