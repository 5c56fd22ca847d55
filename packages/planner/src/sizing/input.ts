/** Checks the inputs of a sizing, so that no figure of a plan can become infinite. */
import { counted, formatPlanBytes, formatPlanSeconds } from "../format-figures.ts";
import { splitMix } from "./mix.ts";
import type { StashPlanInput } from "./plan-types.ts";
import { type Refuse, readInput } from "./read-plan-input.ts";
import { drivesUnder, loadAfter, plannedLoad } from "./required-drives.ts";
import { POOL_SERVERS_MAX } from "./rows/pool.ts";

export interface InputProblem {
  /** Name in a form, such as `drive.priceUsd` or `objects.0.bytes`. */
  readonly field: string;
  readonly message: string;
}

export type CheckedInput =
  | { readonly input: StashPlanInput; readonly problems: readonly [] }
  | { readonly input: null; readonly problems: readonly InputProblem[] };

/** Returns the first problem of each field; never throws for any input. */
export function checkStashPlanInput(given: unknown): CheckedInput {
  const byField = new Map<string, InputProblem>();
  const refuse: Refuse = (field, message) => {
    if (!byField.has(field)) byField.set(field, { field, message });
  };
  const input = readInput(given, refuse);
  if (input !== null && byField.size === 0) checkTogether(input, refuse);
  if (input !== null && byField.size === 0) return { input, problems: [] };
  return { input: null, problems: [...byField.values()] };
}

/** Checks combinations of numbers. */
function checkTogether(input: StashPlanInput, refuse: Refuse): void {
  const { dataShards, parityShards } = input;
  const shards = dataShards + parityShards;
  if (shards > 256) refuse("parityShards", `A stripe can have at most 256 shards; ${shards} are requested.`);
  if (dataShards <= parityShards) refuse("dataShards", "A scheme needs more data shards than parity shards.");
  if (input.residenceSecondsP99 < input.residenceSecondsMean) {
    refuse("residenceSecondsP99", "The 99th percentile of the residence must not be below its mean.");
  }
  // q - k = n - 1 - k = m - 1 acknowledged shards may be lost.
  const spare = parityShards - 1;
  if (input.serverFailuresTolerated > spare) {
    refuse(
      "serverFailuresTolerated",
      spare < 1
        ? "With one parity shard no stash server may die: an acknowledged upload has none to spare."
        : `With ${parityShards} parity shards at most ${spare} stash servers may die together.`,
    );
  }
  if (splitMix(input).smallShare === 0) {
    const limit = formatPlanBytes(input.smallUploadBytesMax);
    refuse(
      "objects",
      `Every upload is above ${limit}, the largest that goes through the stash: all go straight to the pods, so there is no stash to plan.`,
    );
    return;
  }
  const excess = findExcess(input);
  if (excess !== null) refuse(excess.field, excess.message);
}

interface Excess {
  readonly field: "growthPerYear" | "outageSeconds" | "residenceSecondsP99" | "uploadsPerSecond";
  readonly message: string;
}

/** Returns the input that demands too much if no pool is large enough; null if one is. */
function findExcess(input: StashPlanInput): Excess | null {
  const most = (POOL_SERVERS_MAX - input.serverFailuresTolerated) * input.drivesPerServer;
  const needed = drivesUnder(input, plannedLoad(input));
  if (Math.max(...Object.values(needed)) <= most) return null;
  const pool = `the largest pool has ${counted(POOL_SERVERS_MAX, "server")} of ${counted(input.drivesPerServer, "drive")}`;
  const { capacity, ...others } = drivesUnder(input, loadAfter(input, 0));
  const withoutRoom = Math.max(...Object.values(others));
  if (withoutRoom > most) {
    const drives = counted(Math.ceil(withoutRoom), "drive");
    return { field: "uploadsPerSecond", message: `This load needs ${drives}, and ${pool}.` };
  }
  if (capacity <= most) {
    const message = `With this growth, the load at the horizon exceeds every pool: ${pool}. Choose a nearer horizon.`;
    return { field: "growthPerYear", message };
  }
  const longestSeconds = (Math.max(input.outageSeconds, input.residenceSecondsP99) * most) / capacity;
  return {
    field: input.outageSeconds > input.residenceSecondsP99 ? "outageSeconds" : "residenceSecondsP99",
    message: `No pool holds that much: ${pool}, which at this load lasts ${formatPlanSeconds(longestSeconds)}.`,
  };
}
