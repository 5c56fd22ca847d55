/** Form texts by path, from the failure rate of a drive model. */
import type { ModelRateRow } from "@stashlight/contracts/failure-rate/drive-state";
import { findField, shownAs } from "./draft.ts";

/** The share of drives that fail within a year, and the failures that its interval is of. */
export function modelTexts({
  rate,
  countedFailures,
}: Pick<ModelRateRow, "rate" | "countedFailures">): Readonly<Record<string, string>> {
  const share = Number((-Math.expm1(-rate.value)).toPrecision(3));
  return {
    hddAnnualFailureRate: shownAs(findField("hddAnnualFailureRate") ?? { factor: 1 }, share),
    hddFailuresCounted: String(Math.max(1, Math.round(countedFailures))),
  };
}
