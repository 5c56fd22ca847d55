/** The methods of packages/benchmark as plans know them. */
import {
  type ChosenMethod,
  chooseMethod,
  costOf,
  type Estimate,
  type Leg,
} from "@stashlight/benchmark/methods";
import type { BenchmarkMethodChoice } from "@stashlight/contracts/benchmark/plan";
import { endpointColumns } from "@stashlight/db/columns/endpoint";

export type { Estimate } from "@stashlight/benchmark/methods";

/** With every parameter filled in, so that a plan goes on measuring the same when a default changes. */
export function completeMethod(choice: BenchmarkMethodChoice): BenchmarkMethodChoice {
  return { name: choice.name, parameters: chooseMethod(choice).parameters };
}

/** Whether every store can be measured with it, or only those that speak S3. */
export function requiresS3(choice: BenchmarkMethodChoice): boolean {
  const { method } = chooseMethod(choice);
  return method.measures === "stores" && method.requiresS3 === true;
}

export function measuresDrives(choice: BenchmarkMethodChoice): boolean {
  return chosenOrNull(choice)?.method.measures === "drives";
}

export function estimateOf(choice: BenchmarkMethodChoice): Estimate {
  return chooseMethod(choice).plan.estimate;
}

export function titleOf(choice: BenchmarkMethodChoice): string {
  return chosenOrNull(choice)?.method.title ?? choice.name;
}

/** What a run of the method takes by its own estimate; nothing for a method that is gone. */
export const secondsOf = (choice: BenchmarkMethodChoice): number =>
  chosenOrNull(choice)?.plan.estimate.seconds ?? 0;

/** Empty for a method that is gone. */
export function legsOf(choice: BenchmarkMethodChoice): readonly Leg[] {
  return chosenOrNull(choice)?.plan.legs ?? [];
}

/** US dollars of one run; null for an endpoint without a price list. */
export function priceOf(
  estimate: Estimate,
  { id, priceList }: { readonly id: string; readonly priceList: unknown },
): number | null {
  const prices = endpointColumns.priceList.readOrNull(priceList, id);
  return prices === null ? null : costOf(estimate, prices);
}

/** US dollars of a slot of these endpoints; null where one has no price list, or the method is gone. */
export function slotCostOf(
  choice: BenchmarkMethodChoice,
  endpoints: readonly { readonly id: string; readonly priceList: unknown }[],
): number | null {
  const estimate = chosenOrNull(choice)?.plan.estimate;
  if (estimate === undefined) return null;
  const costs = endpoints.map((endpoint) => priceOf(estimate, endpoint));
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** Runs are shown for years, and a method may have gone meanwhile. */
function chosenOrNull(choice: BenchmarkMethodChoice): ChosenMethod | null {
  try {
    return chooseMethod(choice);
  } catch {
    return null;
  }
}
