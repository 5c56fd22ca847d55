/** Wording of a model's failure rate. */
import type { ModelRateRow } from "@stashlight/contracts/failure-rate";
import { describeEvidence, rateInWords } from "@stashlight/planner";

/** "0.7 (0.34 to 1.2)", in percent. */
export const formatRate = (rate: ModelRateRow["rate"]): string => rateInWords(rate).replace(" %", "");

export const describeRate = (row: ModelRateRow): string =>
  `${rateInWords(row.rate)} per drive-year; ${describeEvidence(row)}`;

const REPORTS = "Backblaze Drive Stats for ";

/** "Backblaze Drive Stats for 2024, Q1 2026": the name of several reports once, so that a cell has room for all. */
export function shortenSource(source: string): string {
  const parts = source.split("; ");
  if (!parts.every((part) => part.startsWith(REPORTS))) return source;
  return REPORTS + parts.map((part) => part.slice(REPORTS.length)).join(", ");
}
