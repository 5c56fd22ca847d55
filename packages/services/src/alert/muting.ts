/** Why channels are not told of an alert that fires: a silence covers it, or it follows from another one. */
import type { Transaction } from "@stashlight/db";
import type { Core } from "../core.ts";
import { type Inhibitor, readInhibitors, type Standing } from "./inhibition.ts";
import { type ActiveSilence, activeSilences, findSilence } from "./silences.ts";

export interface Muting {
  readonly silence: ActiveSilence | null;
  readonly inhibitor: Inhibitor | null;
}

export type MutingOf = (standing: Standing) => Muting;

interface MutingQuestion {
  /** Everything of which it will be asked, and all of the rules that are given whole. */
  readonly standings: readonly Standing[];
  /** The standings are more recent than what is stored of their rules. */
  readonly areNewer: boolean;
}

export async function findMuting(
  db: Core["db"] | Transaction,
  now: Date,
  { standings, areNewer }: MutingQuestion,
): Promise<MutingOf> {
  const rules = [...new Map(standings.map(({ rule }) => [rule.id, rule])).values()];
  const silences = await activeSilences(db, now);
  const inhibitorOf = await readInhibitors(db, rules, areNewer ? standings : []);
  return (standing) => {
    const { rule, labels, vault } = standing;
    // A silence of a vault covers its drives, whose labels do not name it.
    const silence = findSilence(silences, rule.id, vault === "" ? labels : { vault, ...labels });
    return { silence, inhibitor: inhibitorOf(standing) };
  };
}

export const isMuted = ({ silence, inhibitor }: Muting): boolean => silence !== null || inhibitor !== null;

/** How the words begin of what follows from another alert. */
export const inhibitedPrefix = "inhibited by";

/** The words that the history keeps; null where nothing mutes it. */
export function mutedBy({ silence, inhibitor }: Muting): string | null {
  if (inhibitor !== null) return `${inhibitedPrefix} ${inhibitor.ruleName}: ${inhibitor.reason}`;
  if (silence?.isMaintenance) return `maintenance by ${silence.createdBy}: ${silence.reason}`;
  return silence === null ? null : `silenced by ${silence.createdBy}: ${silence.reason}`;
}
