/** Machines whose power fails or whose process ends for a while: all of them, some, or one. */

import { createRandom } from "@stashlight/stats/forkable-random";
import type { Address } from "@stashlight/write-path";
import type { PlannedFault } from "../options.ts";
import type { SimulatedMachine, SimulatedPod, SimulatedStash } from "./machines.ts";
import type { World } from "./world.ts";

export function cutPower(world: World, { durationMs, detail }: PlannedFault): void {
  world.powerCut();
  world.queue.schedule(durationMs * 1000, () => world.powerOn(((detail % 50) + 1) * 100_000));
}

/** The second cut strikes while nodes are still recovering from the first. */
export function cutPowerTwice(world: World, { detail }: PlannedFault): void {
  world.powerCut();
  world.powerOn(500_000);
  world.queue.schedule((detail % 2_000_000) + 1000, () => {
    world.powerCut();
    world.powerOn(1_000_000);
  });
}

/** Half of the machines, a quarter or an eighth lose power; it returns to each at its own time. */
export function cutPowerOfSome(world: World, { target, detail, durationMs }: PlannedFault): void {
  const random = createRandom(target * 2 ** 20 + detail);
  const share = 0.5 ** (1 + random.below(3));
  for (const machine of world.machines) {
    if (random.chance(share)) takeDown(world, machine, true, durationMs * 2 * random.next());
  }
}

/** Cuts the power of one node, which returns after this time. */
export function losePower(world: World, address: Address, durationMs: number): void {
  const machine = world.machines.find(({ node }) => node.address === address);
  if (machine) takeDown(world, machine, true, durationMs);
}

export function crash(world: World, { target, detail, durationMs }: PlannedFault): void {
  const machine = world.machines[target % world.machines.length];
  if (machine) takeDown(world, machine, detail % 3 === 0, durationMs);
}

/** Time within which a process that stops as planned ends, whether or not its drive has answered. */
const STOP_WITHIN_MS = 15_000;

/**
 * A pod's process stops in order, and starts again after this time. Its index may meanwhile be damaged, and the files of
 * the index may be on a drive that loses writes it reported as synced.
 */
export function stopAsPlanned(world: World, { target, detail, durationMs }: PlannedFault): void {
  const pod = world.pods[target % world.pods.length] as SimulatedPod;
  if (!pod.node.isUp) return;
  const isLying = detail % 5 === 0;
  pod.medium.index?.setLying(isLying);
  world.stopPod(pod);
  pod.node.isHeldDown = true;
  world.queue.schedule(Math.min(durationMs, STOP_WITHIN_MS) * 1000, () => {
    pod.node.stop();
    pod.state = null;
    if (detail % 3 === 0) pod.medium.powerCut();
    else pod.medium.crash();
    if (isLying) pod.medium.index?.powerCut();
    pod.medium.index?.setLying(false);
    if (detail % 2 === 0) pod.medium.index?.rot();
    pod.node.isHeldDown = false;
    world.startPod(pod);
  });
}

export function restart(world: World, holder: SimulatedPod | SimulatedStash): void {
  if ("podIndex" in holder) {
    world.crashPod(holder);
    world.startPod(holder);
  } else {
    world.crashStash(holder);
    world.startStash(holder);
  }
}

/** The machine stays down for this time, even if power returns everywhere earlier. */
function takeDown(world: World, machine: SimulatedMachine, isPowerLost: boolean, durationMs: number): void {
  if (!("medium" in machine)) world.crashCoordinator(machine);
  else {
    machine.node.stop();
    machine.state = null;
    if (isPowerLost) machine.medium.powerCut();
    else machine.medium.crash();
  }
  machine.node.isHeldDown = true;
  world.queue.schedule(durationMs * 1000, () => {
    machine.node.isHeldDown = false;
    if ("podIndex" in machine) world.startPod(machine);
    else if ("deviceId" in machine) world.startStash(machine);
    else world.startCoordinator(machine);
  });
}
