/** Reasons why channels are not notified of a firing alert: a silence covers it, or it follows from another alert. */
import type { Transaction } from "@stashlight/db";
import type { Core } from "../core.ts";
import { type InhibitionSubject, type Inhibitor, readInhibitors } from "./inhibition.ts";
import { type ActiveSilence, activeSilences, findSilence } from "./silences.ts";

export interface Muting {
  readonly silence: ActiveSilence | null;
  readonly inhibitor: Inhibitor | null;
}

export type MutingOf = (subject: InhibitionSubject) => Muting;

interface MutingQuestion {
  /** Alerts that will be looked up; if they are newer than the stored states, all groups of their rules. */
  readonly subjects: readonly InhibitionSubject[];
  /** True if these alerts are more recent than the stored states of their rules. */
  readonly areNewer: boolean;
}

export async function findMuting(
  db: Core["db"] | Transaction,
  now: Date,
  { subjects, areNewer }: MutingQuestion,
): Promise<MutingOf> {
  const rules = [...new Map(subjects.map(({ rule }) => [rule.id, rule])).values()];
  const silences = await activeSilences(db, now);
  const inhibitorOf = await readInhibitors(db, rules, areNewer ? subjects : []);
  return (subject) => {
    const { rule, labels, vault } = subject;
    // A silence of a vault covers its drives, although their labels do not name the vault.
    const silence = findSilence(silences, rule.id, vault === "" ? labels : { vault, ...labels });
    return { silence, inhibitor: inhibitorOf(subject) };
  };
}

export const isMuted = ({ silence, inhibitor }: Muting): boolean => silence !== null || inhibitor !== null;

/** Prefix of the history's text for an inhibited alert. */
export const inhibitedPrefix = "inhibited by";

/** Returns the history's text; null if the alert is not muted. */
export function mutedBy({ silence, inhibitor }: Muting): string | null {
  if (inhibitor !== null) return `${inhibitedPrefix} ${inhibitor.ruleName}: ${inhibitor.reason}`;
  if (silence?.isMaintenance) return `maintenance by ${silence.createdBy}: ${silence.reason}`;
  return silence === null ? null : `silenced by ${silence.createdBy}: ${silence.reason}`;
}
