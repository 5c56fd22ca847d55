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
  /** Everything that will be looked up, and all groups of the rules that are given whole. */
  readonly subjects: readonly InhibitionSubject[];
  /** The alerts are more recent than the stored states of their rules. */
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
    // A silence of a vault covers its drives, although their labels do not name it.
    const silence = findSilence(silences, rule.id, vault === "" ? labels : { vault, ...labels });
    return { silence, inhibitor: inhibitorOf(subject) };
  };
}

export const isMuted = ({ silence, inhibitor }: Muting): boolean => silence !== null || inhibitor !== null;

/** Start of the history's text for an alert that follows from another one. */
export const inhibitedPrefix = "inhibited by";

/** Returns the text for the history; null if nothing mutes the alert. */
export function mutedBy({ silence, inhibitor }: Muting): string | null {
  if (inhibitor !== null) return `${inhibitedPrefix} ${inhibitor.ruleName}: ${inhibitor.reason}`;
  if (silence?.isMaintenance) return `maintenance by ${silence.createdBy}: ${silence.reason}`;
  return silence === null ? null : `silenced by ${silence.createdBy}: ${silence.reason}`;
}
