/** Memory for the index of a vault's objects, which limits their number as its drives limit their bytes. */
import { indexMarks } from "../thresholds.ts";

export interface IndexUse {
  /** Number of live records of the fullest pod. */
  readonly records: number;
  /** Estimated number of records at which the fullest process refuses uploads. */
  readonly recordsMax: number;
  /** Memory in use as a share of the amount at which uploads are refused. */
  readonly share: number;
}

export type IndexState = "good" | "warning" | "bad";

export function judgeIndex({ share }: Pick<IndexUse, "share">): IndexState {
  if (share >= indexMarks.fullShare) return "bad";
  return share >= indexMarks.warningShare ? "warning" : "good";
}

/** "up to about 3.9 million per pod". */
export const describeIndexLimit = ({ recordsMax }: Pick<IndexUse, "recordsMax">): string =>
  `up to about ${roundedCount(recordsMax)} per pod`;

/** Returns null while there is memory. Without a full stop, because advice follows. */
export function describeFullIndex(vault: string, use: Pick<IndexUse, "share">): string | null {
  const state = judgeIndex(use);
  if (state === "good") return null;
  if (state === "bad")
    return `Vault ${vault} refuses new objects: its pods have no memory left for index entries`;
  return `The pods of vault ${vault} use ${Math.round(use.share * 100)} % of the memory for their index; at 100 % new objects are refused`;
}

/** Advice about a full index; the runbook has the commands. */
export const INDEX_ADVICE = "Give the agents a larger heap, delete objects or add a vault.";

/** Rounds to two digits, the precision of the estimate. */
function roundedCount(count: number): string {
  return count >= 1e6
    ? `${Number((count / 1e6).toPrecision(2))} million`
    : Number(count.toPrecision(2)).toLocaleString("en");
}
