/** Drives that misbehave for a while, and lose nothing by it. */
import type { PlannedFault } from "../options.ts";
import type { SimulatedPod, SimulatedStash } from "./machines.ts";
import { restart } from "./outages.ts";
import type { World } from "./world.ts";

export const podOf = ({ pods }: World, { target }: PlannedFault): SimulatedPod =>
  pods[target % pods.length] as SimulatedPod;

export const stashOf = ({ stashes }: World, { target }: PlannedFault): SimulatedStash =>
  stashes[target % stashes.length] as SimulatedStash;

/** Either a pod or a stash device. */
export const holderOf = (world: World, fault: PlannedFault): SimulatedPod | SimulatedStash =>
  fault.detail % 2 === 0 ? podOf(world, fault) : stashOf(world, fault);

export function afterwards({ queue }: World, { durationMs }: PlannedFault, action: () => void): void {
  queue.schedule(durationMs * 1000, action);
}

export function slowDrive(world: World, fault: PlannedFault): void {
  const { medium } = holderOf(world, fault);
  medium.setSlowFactor(2 ** (1 + (fault.detail % 8)));
  afterwards(world, fault, () => medium.setSlowFactor(1));
}

export function hangDrive(world: World, fault: PlannedFault): void {
  const { medium } = holderOf(world, fault);
  medium.setHung(true);
  afterwards(world, fault, () => medium.setHung(false));
}

export function failSync(world: World, fault: PlannedFault): void {
  const holder = holderOf(world, fault);
  holder.medium.failNextSync();
  // A poisoned device serves what it has until its process is started again.
  afterwards(world, fault, () => restart(world, holder));
}

export function fillPod(world: World, fault: PlannedFault): void {
  const { medium } = podOf(world, fault);
  medium.setFull(true);
  afterwards(world, fault, () => medium.setFull(false));
}

export function fillStash(world: World, fault: PlannedFault): void {
  const { medium, node } = stashOf(world, fault);
  medium.setFull(true);
  node.take({ type: "occupancy", isFull: true });
  afterwards(world, fault, () => {
    medium.setFull(false);
    node.take({ type: "occupancy", isFull: false });
  });
}
