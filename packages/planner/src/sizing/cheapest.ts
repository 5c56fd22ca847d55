/**
 * Finds the cheapest pool that suffices. A server holds at most `drivesPerServer` drives; completely filled servers are
 * rarely the cheapest, because placement often requires more servers than the load does.
 */

import type { StashPlanInput } from "./plan-types.ts";
import { drivesUnder, planStash, type StashPlan, wholeDrives } from "./required-drives.ts";

export const poolPriceUsd = (
  { drive, serverPriceUsd }: StashPlanInput,
  servers: number,
  drives: number,
): number => servers * serverPriceUsd + drives * drive.priceUsd;

/** Number of servers needed with this number of drives in each. */
function serversWith(input: StashPlanInput, plan: StashPlan, drivesPerServer: number): number {
  const drivesForLoad = wholeDrives(drivesUnder({ ...input, drivesPerServer }, plan.load));
  return Math.max(
    Math.ceil(drivesForLoad / drivesPerServer) + input.serverFailuresTolerated,
    plan.placementServers,
    Math.ceil((input.dataShards + input.parityShards) / drivesPerServer),
  );
}

/**
 * Returns the input with the cheapest number of drives per server; of equally cheap pools, the one with the fewest
 * servers.
 */
export function cheapestInput(input: StashPlanInput): StashPlanInput {
  const filled = planStash(input);
  let best = { drivesPerServer: input.drivesPerServer, priceUsd: Number.POSITIVE_INFINITY };
  for (let drivesPerServer = input.drivesPerServer; drivesPerServer >= 1; drivesPerServer -= 1) {
    const servers = serversWith(input, filled, drivesPerServer);
    const priceUsd = poolPriceUsd(input, servers, servers * drivesPerServer);
    const isFewer = servers <= serversWith(input, filled, best.drivesPerServer);
    if (priceUsd < best.priceUsd || (priceUsd === best.priceUsd && isFewer))
      best = { drivesPerServer, priceUsd };
  }
  return best.drivesPerServer === input.drivesPerServer
    ? input
    : { ...input, drivesPerServer: best.drivesPerServer };
}
