/** Causes of a loss, and changes that reduce them. */
import { markovAnnualLoss } from "@stashlight/durability";
import type { StashPlanInput } from "../../sizing/plan-types.ts";
import { annualLoss, driveGroup, toNines, unreadableShard } from "./loss.ts";
import { type CauseOfLoss, type LossCause, lossCauses, type NinesChange } from "./types.ts";

export function splitCauses(input: StashPlanInput, whole: number): CauseOfLoss[] {
  // The failure rate includes common causes, so fewer failures are independent.
  const others = Math.log1p(-input.hddAnnualFailureRate) * (1 - input.commonCauseShare);
  const alone =
    others === 0
      ? 0
      : markovAnnualLoss(driveGroup({ ...input, hddAnnualFailureRate: -Math.expm1(others) }, false));
  const common = markovAnnualLoss(driveGroup(input));
  const sectors = markovAnnualLoss(driveGroup(input), unreadableShard(input));
  const losses: Record<LossCause, number> = {
    "Independent failures": alone,
    "Common causes": Math.max(0, common - alone),
    "Unreadable sectors": Math.max(0, sectors - common),
    "Stash window": Math.max(0, whole - sectors),
  };
  return lossCauses.map((cause) => ({
    cause,
    annualLoss: losses[cause],
    share: whole > 0 ? losses[cause] / whole : null,
  }));
}

/** Ten percent is a change that an operator can make, small enough to compare inputs by. */
const TENTH = 0.1;

/** Changes of nines if one input is ten percent better, the strongest first. */
export function changesOfNines(input: StashPlanInput, now: number): NinesChange[] {
  const change = (label: string, part: Partial<StashPlanInput>): NinesChange => ({
    label,
    nines: toNines(annualLoss({ ...input, ...part })) - now,
  });
  const less = (value: number): number => value * (1 - TENTH);
  return [
    change("Rebuild 10 % faster", { rebuildBytesPerSecond: input.rebuildBytesPerSecond * (1 + TENTH) }),
    change("Rebuild begins 10 % sooner", { rebuildStartSeconds: less(input.rebuildStartSeconds) }),
    change("HDDs fail 10 % more rarely", { hddAnnualFailureRate: less(input.hddAnnualFailureRate) }),
    change("HDDs 10 % smaller", { hddBytes: less(input.hddBytes) }),
    change("10 % fewer common causes", { commonCauseShare: less(input.commonCauseShare) }),
    change("Scrub 10 % more often", { scrubSeconds: less(input.scrubSeconds) }),
    change("10 % fewer power cuts", { powerCutsPerYear: less(input.powerCutsPerYear) }),
  ].sort((one, other) => other.nines - one.nines);
}
