/** Form texts by path, from the failure rate of a drive model. */
import type { ModelRateRow } from "@stashlight/contracts/failure-rate";
import { modelInputs } from "@stashlight/planner";
import { findField, shownAs } from "./draft.ts";

/** Texts for the share of drives that fail within a year, and for the failure count behind its interval. */
export function modelTexts({
  rate,
  countedFailures,
}: Pick<ModelRateRow, "rate" | "countedFailures">): Readonly<Record<string, string>> {
  const inputs = modelInputs({ value: rate.value, countedFailures });
  return Object.fromEntries(
    Object.entries(inputs).map(([path, value]) => [path, shownAs(findField(path) ?? { factor: 1 }, value)]),
  );
}
