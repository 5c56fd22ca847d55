/** Methods of packages/benchmark as plans use them. */
import {
  type ChosenMethod,
  chooseMethod,
  type Estimate,
  type Leg,
  requestCost,
} from "@stashlight/benchmark/methods";
import type { BenchmarkMethodChoice } from "@stashlight/contracts/benchmark";
import { endpointColumns } from "@stashlight/db/columns/endpoint";

export type { Estimate } from "@stashlight/benchmark/methods";

/** Fills in every parameter, so that a plan keeps measuring the same when a default changes. */
export function completeMethod(choice: BenchmarkMethodChoice): BenchmarkMethodChoice {
  return { name: choice.name, parameters: chooseMethod(choice).parameters };
}

/** True if the method measures only stores that speak S3. */
export function requiresS3(choice: BenchmarkMethodChoice): boolean {
  const { method } = chooseMethod(choice);
  return method.measures === "stores" && method.requiresS3 === true;
}

export function measuresDrives(choice: BenchmarkMethodChoice): boolean {
  return chosenOrNull(choice)?.method.measures === "drives";
}

export function methodEstimate(choice: BenchmarkMethodChoice): Estimate {
  return chooseMethod(choice).plan.estimate;
}

export function methodTitle(choice: BenchmarkMethodChoice): string {
  return chosenOrNull(choice)?.method.title ?? choice.name;
}

/** Returns the method's own estimate for a run; 0 for a method that no longer exists. */
export const estimatedSeconds = (choice: BenchmarkMethodChoice): number =>
  chosenOrNull(choice)?.plan.estimate.seconds ?? 0;

/** Empty for a method that no longer exists. */
export function methodLegs(choice: BenchmarkMethodChoice): readonly Leg[] {
  return chosenOrNull(choice)?.plan.legs ?? [];
}

/** US dollars of one run; null for an endpoint without a price list. */
export function estimatedPrice(
  estimate: Estimate,
  { id, priceList }: { readonly id: string; readonly priceList: unknown },
): number | null {
  const prices = endpointColumns.priceList.readOrNull(priceList, id);
  return prices === null ? null : requestCost(estimate, prices);
}

/** US dollars of a slot of these endpoints; null if one has no price list or the method no longer exists. */
export function estimatedSlotCost(
  choice: BenchmarkMethodChoice,
  endpoints: readonly { readonly id: string; readonly priceList: unknown }[],
): number | null {
  const estimate = chosenOrNull(choice)?.plan.estimate;
  if (estimate === undefined) return null;
  const costs = endpoints.map((endpoint) => estimatedPrice(estimate, endpoint));
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** Runs are shown for years, and their method may have been removed. */
function chosenOrNull(choice: BenchmarkMethodChoice): ChosenMethod | null {
  try {
    return chooseMethod(choice);
  } catch {
    return null;
  }
}
