/** The durability of a plan, with its interval, its causes and the changes that would reach the target. */
import {
  FAILURE_RATE_MIN,
  lossBeforeWhole,
  markovAnnualLoss,
  poissonInterval,
  REBUILD_DAYS_MAX,
  REBUILD_DAYS_MIN,
  windowAnnualLoss,
} from "@stashlight/durability";
import type { StashPlanInput } from "../../sizing/plan-types.ts";
import { changesOfNines, splitCauses } from "./causes.ts";
import { annualLoss, driveGroup, rebuildDays, toNines, unreadableShard } from "./loss.ts";
import { compareSchemes } from "./schemes.ts";
import { describeDurability } from "./sentence.ts";
import { reachTargets } from "./target.ts";
import type { Durability, DurabilityAnswer, Nines } from "./types.ts";

/** Returns the durability of a plan, or a sentence that explains why no model gives one. */
export function answerDurability(input: StashPlanInput): DurabilityAnswer {
  const unknown = describeUnknown(input);
  return unknown === null
    ? { durability: judgeDurability(input), unknown: null }
    : { durability: null, unknown };
}

function describeUnknown(input: StashPlanInput): string | null {
  const days = rebuildDays(input);
  if (input.hddAnnualFailureRate < FAILURE_RATE_MIN) {
    return "Durability is unknown: drives that never fail lose nothing. Enter the failure rate of the HDDs.";
  }
  if (days > REBUILD_DAYS_MAX) {
    return "Durability is unknown: a rebuild takes more than a century, so a failed drive is never rebuilt. Enter a faster rebuild.";
  }
  if (days < REBUILD_DAYS_MIN) {
    return "Durability is unknown: a rebuild takes less than a second. Enter a slower rebuild or a larger drive.";
  }
  return null;
}

function judgeDurability(input: StashPlanInput): Durability {
  const independent = (plan: StashPlanInput) => markovAnnualLoss(driveGroup(plan, false));
  const all = withInterval(input, annualLoss);
  const parts = {
    rebuildDays: rebuildDays(input),
    window: withInterval(input, (plan) => windowAnnualLoss(driveGroup(plan, false))),
    chain: withInterval(input, independent),
    all,
    targetNines: input.ninesTarget,
    meetsTarget: all.nines >= input.ninesTarget,
    causes: splitCauses(input, all.annualLoss),
    sensitivities: changesOfNines(input, all.nines),
    lossWhileMissing: Array.from({ length: input.parityShards }, (_, at) =>
      lossBeforeWhole(driveGroup(input), at + 1, unreadableShard(input)),
    ),
    targets: reachTargets(input),
    schemes: compareSchemes(input),
  };
  return { ...parts, sentences: describeDurability(input, parts) };
}

function withInterval(input: StashPlanInput, loss: (input: StashPlanInput) => number): Nines {
  const value = loss(input);
  const { hddFailuresCounted: count, hddAnnualFailureRate: rate } = input;
  if (count === null) return { annualLoss: value, nines: toNines(value), interval: null };
  const { low, high } = poissonInterval(count);
  const at = (failures: number) =>
    toNines(loss({ ...input, hddAnnualFailureRate: (rate * failures) / count }));
  return { annualLoss: value, nines: toNines(value), interval: { low: at(high), high: at(low) } };
}
