/** Form texts by path, from the failure rate of a drive model. */
import type { ModelRateRow } from "@stashlight/contracts/failure-rate/drive-state";
import { modelInputs } from "@stashlight/planner";
import { findField, shownAs } from "./draft.ts";

/** The share of drives that fail within a year, and the failures that its interval is of. */
export function modelTexts({
  rate,
  countedFailures,
}: Pick<ModelRateRow, "rate" | "countedFailures">): Readonly<Record<string, string>> {
  const inputs = modelInputs({ value: rate.value, countedFailures });
  return {
    hddAnnualFailureRate: shownAs(
      findField("hddAnnualFailureRate") ?? { factor: 1 },
      inputs.hddAnnualFailureRate,
    ),
    hddFailuresCounted: String(inputs.hddFailuresCounted),
  };
}
