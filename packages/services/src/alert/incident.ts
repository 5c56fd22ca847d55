/**
 * Decides what channels are told, and when. Groups of a rule that fire in one vault are one incident, and have one message:
 *
 *   begins    its message waits for half a minute, and takes in what fires meanwhile
 *             unless a silence or an inhibition covers all of it before it is sent
 *   grows     what fires later is told after five minutes, with all that still fires, acknowledged or not
 *   goes on   a reminder, as often as the rule says, unless somebody acknowledged it
 *   ends      told when nothing of it fires any more; before that, what is over is not told
 *
 * Messages of an incident name the event with which it began, as each of its groups does. Pure.
 */
import type { GroupState } from "./evaluate.ts";

export const groupWaitMs = 30_000;
export const groupIntervalMs = 300_000;

/** A group that fires. */
export interface FiringGroup {
  readonly state: GroupState;
  readonly vault: string;
  /** Why channels are not told of it: a silence, or an alert that it follows from. */
  readonly mutedBy: string | null;
  /** The event with which its incident began, once it was told of it; before, that with which it began itself. */
  readonly firingEventId: string;
  /** When channels were told of its incident last; null while they do not know of this group. */
  readonly toldMs: number | null;
}

/** A group that was told of and is over, with the event that says so. */
export interface EndedGroup {
  readonly state: GroupState;
  readonly firingEventId: string;
  readonly eventId: string;
}

export type Telling =
  | { readonly kind: "begins"; readonly firingEventId: string; readonly groups: readonly FiringGroup[] }
  /** The message that waits still takes further groups in. */
  | { readonly kind: "joins"; readonly firingEventId: string; readonly groups: readonly FiringGroup[] }
  /** The message that waits is not sent, because all of its groups were muted meanwhile. */
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

export interface TellInput {
  readonly firing: readonly FiringGroup[];
  readonly ended: readonly EndedGroup[];
  /** 0: no reminders. */
  readonly remindSeconds: number;
  readonly nowMs: number;
  /** Incidents whose first message has not been sent. */
  readonly unsent: ReadonlySet<string>;
  /** Vaults in which somebody looks after what fires of the rule. */
  readonly acknowledged: ReadonlySet<string>;
}

export function tell({ firing, ended, remindSeconds, nowMs, unsent, acknowledged }: TellInput): Telling[] {
  const told = Map.groupBy(
    firing.filter(({ toldMs }) => toldMs !== null),
    ({ firingEventId }) => firingEventId,
  );
  const tellings: Telling[] = [...Map.groupBy(ended, ({ firingEventId }) => firingEventId)]
    .filter(([firingEventId]) => !told.has(firingEventId))
    .map(([firingEventId, groups]) => ({ kind: "ends", firingEventId, groups }));
  const news = Map.groupBy(
    firing.filter(({ toldMs, mutedBy }) => toldMs === null && mutedBy === null),
    ({ vault }) => vault,
  );
  for (const [firingEventId, members] of told) {
    const toldMs = Math.max(...members.map((member) => member.toldMs ?? 0));
    const vault = members[0]?.vault ?? "";
    const joining = news.get(vault) ?? [];
    // A muted group goes unmentioned, and still keeps its incident from its end.
    const groups = [...members, ...joining].filter(({ mutedBy }) => mutedBy === null);
    if (groups.length === 0) {
      if (unsent.has(firingEventId)) tellings.push({ kind: "withdraws", firingEventId, groups: members });
      continue;
    }
    const sinceMs = nowMs - toldMs;
    const isDue = !acknowledged.has(vault) && remindSeconds > 0 && sinceMs >= remindSeconds * 1000;
    if (joining.length > 0 && unsent.has(firingEventId))
      tellings.push({ kind: "joins", firingEventId, groups });
    else if (joining.length > 0 && sinceMs >= groupIntervalMs) {
      tellings.push({ kind: "grows", firingEventId, groups, joining });
    } else if (isDue) tellings.push({ kind: "reminds", firingEventId, groups });
    news.delete(vault);
  }
  for (const groups of news.values()) {
    const [first] = groups;
    if (first !== undefined) tellings.push({ kind: "begins", firingEventId: first.firingEventId, groups });
  }
  return tellings;
}
