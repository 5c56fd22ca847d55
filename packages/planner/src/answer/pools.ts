/**
 * Pools of several sizes side by side: what each costs, and how many times the planned load it carries. They show what
 * another server buys, and from where on a pool suffices.
 */
import { poolPriceUsd } from "../sizing/cheapest.ts";
import type { StashPlan } from "../sizing/plan.ts";
import type { StashPlanInput } from "../sizing/types.ts";
import { placementHolds, plannedPool, poolDrivesUnder, poolSuffices } from "./pool.ts";

export interface PoolOption {
  readonly servers: number;
  readonly drivesPerServer: number;
  readonly drives: number;
  readonly priceUsd: number;
  /** How many times the planned load fits, with `serverFailuresTolerated` servers dead. */
  readonly times: number;
  readonly placementHolds: boolean;
  readonly suffices: boolean;
}

export function poolOption(
  input: StashPlanInput,
  plan: StashPlan,
  servers: number,
  drivesPerServer: number,
): PoolOption {
  const pool = plannedPool(input, servers, drivesPerServer);
  return {
    ...{ servers, drivesPerServer, drives: pool.drives },
    priceUsd: poolPriceUsd(input, servers, pool.drives),
    times: pool.carryingDrives / Math.max(...Object.values(poolDrivesUnder(input, pool, plan.load))),
    placementHolds: placementHolds(input, plan, pool),
    suffices: poolSuffices(input, plan, pool),
  };
}

/** Sizes on either side of the plan's; more could not be told apart in a picture. */
const SIZES_MAX = 24;

/** From the smallest pool that has a server left to twice the plan's, all with the plan's drives in each server. */
export function poolOptionsOf(input: StashPlanInput, plan: StashPlan): PoolOption[] {
  const first = input.serverFailuresTolerated + 1;
  const last = Math.max(first, 2 * plan.servers);
  const step = Math.max(1, Math.ceil((last - first) / SIZES_MAX));
  const sizes = new Set([plan.servers]);
  for (let servers = first; servers <= last; servers += step) sizes.add(servers);
  return [...sizes]
    .sort((a, b) => a - b)
    .map((servers) => poolOption(input, plan, servers, input.drivesPerServer));
}
