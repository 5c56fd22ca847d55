/** Faults that take durable bytes away. */
import type { FaultName, PlannedFault } from "../options.ts";
import { afterwards, targetHolder, targetPod, targetStash } from "./drive-faults.ts";
import { changeConfig } from "./epochs.ts";
import type { SimulatedPod, SimulatedStash } from "./machines.ts";
import type { World } from "./world.ts";

interface Loss {
  /** Picks the machine whose medium loses data. */
  readonly holder: (world: World, fault: PlannedFault) => SimulatedPod | SimulatedStash;
  /** Returns false if there was nothing to lose. */
  readonly strike: (world: World, fault: PlannedFault) => boolean;
}

export const losses = {
  "lying sync": { holder: targetHolder, strike: lieAboutSyncs },
  "bit rot": { holder: targetHolder, strike: (world, fault) => targetHolder(world, fault).medium.rot() },
  "replaced drive": { holder: targetPod, strike: replaceDrive },
  "dead device": { holder: targetStash, strike: killDevice },
} satisfies Partial<Record<FaultName, Loss>>;

export type LossName = keyof typeof losses;

export const isLossName = (name: FaultName): name is LossName => Object.hasOwn(losses, name);

function lieAboutSyncs(world: World, fault: PlannedFault): boolean {
  const { medium } = targetHolder(world, fault);
  medium.setLying(true);
  afterwards(world, fault, () => medium.setLying(false));
  return true;
}

function replaceDrive(world: World, fault: PlannedFault): boolean {
  const pod = targetPod(world, fault);
  putNewDrive(world, pod, fault.detail);
  afterwards(world, fault, () => world.startPod(pod));
  return true;
}

/** Replaces the pod's drive with an empty one with another id, in another epoch, which every node learns of. */
function putNewDrive(world: World, pod: SimulatedPod, draw: number): void {
  pod.node.stop();
  pod.state = null;
  pod.medium.replace();
  const driveId = `drive-${pod.podIndex}-${world.config.epoch + 1}`;
  changeConfig(world, { podDriveIds: world.config.podDriveIds.with(pod.podIndex, driveId) }, draw);
}

/** Operators replace drives that accept no more writes. Those drives may have lied, so they count as lossy. */
export function replaceStuckDrives(world: World): void {
  for (const pod of world.pods) {
    if (!pod.medium.hasLostReserve) continue;
    world.counters.add("drive without a free segment");
    putNewDrive(world, pod, pod.podIndex);
    world.startPod(pod);
  }
}

function killDevice(world: World, fault: PlannedFault): boolean {
  const stash = targetStash(world, fault);
  stash.node.stop();
  stash.state = null;
  stash.medium.replace();
  return true;
}
