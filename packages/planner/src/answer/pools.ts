/**
 * Compares pools of several sizes: the cost of each, and the multiple of the planned load that it supports. Shows the
 * benefit of another server, and the smallest pool that suffices.
 */
import { poolPriceUsd } from "../sizing/cheapest.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { StashPlan } from "../sizing/required-drives.ts";
import { placementHolds, plannedPool, poolDrivesUnder, poolSuffices } from "./pool.ts";

export interface PoolOption {
  readonly servers: number;
  readonly drivesPerServer: number;
  readonly drives: number;
  readonly priceUsd: number;
  /** Multiple of the planned load that fits, with `serverFailuresTolerated` servers dead. */
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
    servers,
    drivesPerServer,
    drives: pool.drives,
    priceUsd: poolPriceUsd(input, servers, pool.drives),
    times: pool.carryingDrives / Math.max(...Object.values(poolDrivesUnder(input, pool, plan.load))),
    placementHolds: placementHolds(input, plan, pool),
    suffices: poolSuffices(input, plan, pool),
  };
}

/** Number of sizes on either side of the plan's; more could not be distinguished in a chart. */
const SIZES_MAX = 24;

/** Lists pools from the smallest with a remaining server to twice the plan's, all with the plan's drives per server. */
export function listPoolOptions(input: StashPlanInput, plan: StashPlan): PoolOption[] {
  const first = input.serverFailuresTolerated + 1;
  const last = Math.max(first, 2 * plan.servers);
  const step = Math.max(1, Math.ceil((last - first) / SIZES_MAX));
  const sizes = new Set([plan.servers]);
  for (let servers = first; servers <= last; servers += step) sizes.add(servers);
  return [...sizes]
    .sort((a, b) => a - b)
    .map((servers) => poolOption(input, plan, servers, input.drivesPerServer));
}
