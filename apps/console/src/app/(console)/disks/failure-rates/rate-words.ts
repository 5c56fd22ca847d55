/** Words of a model's failure rate. */
import type { ModelRateRow } from "@stashlight/contracts/failure-rate/drive-state";
import { describeEvidence, rateInWords } from "@stashlight/planner";

/** "0.7 (0.34 to 1.2)", in percent. */
export const formatRate = (rate: ModelRateRow["rate"]): string => rateInWords(rate).replace(" %", "");

export const describeRate = (row: ModelRateRow): string =>
  `${rateInWords(row.rate)} a drive-year; ${describeEvidence(row)}`;
