/**
 * Leaves an upload with as few shards as the protocol allows: coordinators cannot reach one pod, another is late, and a
 * third loses power before it has flushed, with its shard on almost none of the stash, and returns unnoticed. Independently
 * drawn faults hardly ever coincide like this, as they do when one switch fails.
 */

import { createRandom } from "@stashlight/stats/forkable-random";
import type { Address } from "@stashlight/write-path";
import type { PlannedFault } from "../options.ts";
import type { Ambushes } from "./ambush.ts";
import { losePower } from "./outages.ts";
import type { World } from "./world.ts";

/** Each part of the fault is skipped occasionally. */
const PART_PROBABILITY = 0.8;

export function thinQuorum(
  world: World,
  { target, detail, durationMs }: PlannedFault,
  ambushes: Ambushes,
): void {
  const { network, queue } = world;
  const random = createRandom(target * 2 ** 20 + detail);
  const pods = world.pods.map(({ node }) => node.address);
  const drawPod = () => pods.splice(random.below(pods.length), 1)[0] as Address;
  const [absent, late, forgetful] = [drawPod(), drawPod(), drawPod()];
  const coordinators = world.coordinators.map(({ node }) => node.address);
  const later = (delayMs: number, action: () => void) => queue.schedule(delayMs * 1000, action);
  const obstruct = (from: Address, to: Address, delayUs: number | null) => {
    if (delayUs === null) network.breakLink(from, to);
    else network.clogLink(from, to, delayUs);
    later(durationMs, () => network.healLink(from, to));
  };
  const delayUs = durationMs * 1000 * random.next();
  for (const coordinator of coordinators) {
    if (random.chance(PART_PROBABILITY)) obstruct(coordinator, absent, null);
    if (random.chance(PART_PROBABILITY)) obstruct(coordinator, late, delayUs);
  }
  troubleStash(random.pick(["unreachable", "late", "slow"] as const));
  const lastWord = random.pick(["coordinator.podAppended", "coordinator.confirmed"] as const);
  ambushes.afterNext(lastWord, forgetful, () => {
    for (const coordinator of coordinators) obstruct(forgetful, coordinator, null);
    losePower(world, forgetful, random.between(1, 100));
  });

  /** The shards of the pod that lost power do not reach the stash, or only long after it has returned. */
  function troubleStash(trouble: "unreachable" | "late" | "slow"): void {
    if (trouble === "slow") {
      const factor = 2 ** random.between(4, 12);
      for (const { medium } of world.stashes) medium.setSlowFactor(factor);
      later(durationMs, () => {
        for (const { medium } of world.stashes) medium.setSlowFactor(1);
      });
      return;
    }
    ambushes.obstruct({
      type: "stash.append",
      shardIndex: Number(forgetful.slice(1)),
      delayUs: trouble === "late" ? delayUs : Number.POSITIVE_INFINITY,
      untilUs: queue.nowUs + durationMs * 1000,
    });
  }
}
