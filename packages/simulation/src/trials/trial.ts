/**
 * A trial is staged in a vault without faults, after the planned part of a run. It creates a particular state that
 * independently drawn faults hardly ever reach, and leaves the verdict to the checks at the end of the run.
 */

import type { Random } from "@stashlight/stats/forkable-random";
import { versionsOf } from "../check/read-entries.ts";
import type { PlannedOperation } from "../options.ts";
import { BUCKET, type Clients } from "../world/clients.ts";
import type { FaultInjector } from "../world/faults.ts";
import type { SimulatedPod } from "../world/machines.ts";
import type { World } from "../world/world.ts";

export interface Stage {
  readonly world: World;
  readonly clients: Clients;
  readonly faults: FaultInjector;
  readonly random: Random;
  /** Advances virtual time by this much, unless a promise breaks first. */
  readonly advance: (durationMs: number) => void;
}

const STEP_MS = 250;

/** Returns false if the condition did not become true in time, or a promise broke first. */
export function waitUntil({ advance, world }: Stage, isTrue: () => boolean, withinMs: number): boolean {
  for (let waitedMs = 0; !isTrue(); waitedMs += STEP_MS) {
    if (waitedMs >= withinMs || world.violations.length > 0) return false;
    advance(STEP_MS);
  }
  return true;
}

/** Returns the number of the call; null if the coordinator is down, or if the key already has a long history. */
export function issue(
  { clients, random }: Stage,
  type: PlannedOperation["type"],
  key: string,
  { coordinator = random.below(16), sizeBytes = 40 } = {},
): number | null {
  const common = { atMs: 0, sizeBytes, condition: "none" } as const;
  return clients.issue({ ...common, type, key, coordinator });
}

export function versionsOn({ state }: SimulatedPod, key: string) {
  return versionsOf(state, { bucket: BUCKET, key }) ?? [];
}
