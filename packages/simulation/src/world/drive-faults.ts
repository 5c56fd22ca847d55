/** Drives that misbehave for a while without losing anything. */

import { createRandom, type Random } from "@stashlight/stats/forkable-random";
import type { Address, UploadId } from "@stashlight/write-path";
import { entriesOf } from "../check/read-entries.ts";
import type { PlannedFault } from "../options.ts";
import type { SimulatedPod, SimulatedStash } from "./machines.ts";
import { losePower, restart } from "./outages.ts";
import type { World } from "./world.ts";

export const targetPod = ({ pods }: World, { target }: PlannedFault): SimulatedPod =>
  pods[target % pods.length] as SimulatedPod;

export const targetStash = ({ stashes }: World, { target }: PlannedFault): SimulatedStash =>
  stashes[target % stashes.length] as SimulatedStash;

/** Picks either a pod or a stash device. */
export const targetHolder = (world: World, fault: PlannedFault): SimulatedPod | SimulatedStash =>
  fault.detail % 2 === 0 ? targetPod(world, fault) : targetStash(world, fault);

export function afterwards({ queue }: World, { durationMs }: PlannedFault, action: () => void): void {
  queue.schedule(durationMs * 1000, action);
}

export function slowDrive(world: World, fault: PlannedFault): void {
  const { medium } = targetHolder(world, fault);
  medium.setSlowFactor(2 ** (1 + (fault.detail % 8)));
  afterwards(world, fault, () => medium.setSlowFactor(1));
}

export function hangDrive(world: World, fault: PlannedFault): void {
  const { medium } = targetHolder(world, fault);
  medium.setHung(true);
  afterwards(world, fault, () => medium.setHung(false));
}

export function failSync(world: World, fault: PlannedFault): void {
  const holder = targetHolder(world, fault);
  holder.medium.failNextSync();
  // A poisoned device serves reads until its process is restarted.
  afterwards(world, fault, () => restart(world, holder));
}

/** Picks one drive, a few, half of them or all: a controller, a bus or a switch fails for many at once. */
function targetHolders(world: World, { target, detail }: PlannedFault): (SimulatedPod | SimulatedStash)[] {
  const random = createRandom(target * 2 ** 20 + detail);
  const share = random.pick([0, 0.2, 0.5, 1]);
  const drives = [...world.pods, ...world.stashes];
  return [random.pick(drives), ...drives.filter(() => random.chance(share))];
}

/**
 * Makes reads of some drives fail or return garbage for a while. Their hosts close and reopen some of them during that
 * time.
 */
export function disturbReads(world: World, fault: PlannedFault, reads: "failing" | "garbled"): void {
  const random = createRandom(fault.detail);
  const isClosing = random.chance(0.5);
  // Pods that restart during that time know only the shards that the stash hands over.
  if (random.chance(0.3)) {
    for (const { node } of world.pods) losePower(world, node.address, random.next() * 300);
  }
  for (const holder of targetHolders(world, fault)) {
    holder.medium.setReads(reads);
    world.queue.schedule(random.next() * fault.durationMs * 1000, () => holder.medium.scrub());
    if (isClosing && random.chance(0.6)) {
      world.queue.schedule(random.next() * fault.durationMs * 1000, () => {
        if (holder.node.isUp) restart(world, holder);
      });
    }
    afterwards(world, fault, () => holder.medium.setReads("good"));
  }
}

/**
 * Makes the shards of one upload rot on enough drives of pods and stash to make it unreadable. The upload is an
 * existing one, or the next one to be acknowledged; then the power fails at its acknowledgement, so that no pod knows
 * that it is committed. Some stash devices then come back empty, so that headers are missing as well, within the
 * budget of `maySpend`.
 */
export function rotBeyondBudget(
  world: World,
  fault: PlannedFault,
  maySpend: (address: Address) => boolean,
): void {
  const random = createRandom(fault.target * 2 ** 20 + fault.detail);
  if (random.chance(0.5)) {
    world.onAcknowledged = (uploadId) => {
      world.onAcknowledged = null;
      world.queue.schedule(1, () => {
        world.powerCut();
        rotUpload(world, uploadId, random);
        loseHeaders(world, random, maySpend);
        world.queue.schedule(random.between(1, 2000) * 1000, () => world.powerOn(1_000_000));
      });
    };
    afterwards(world, { ...fault, durationMs: 20_000 }, () => {
      world.onAcknowledged = null;
    });
    return;
  }
  const holder = targetPod(world, fault).state;
  const uploads = entriesOf(holder).flatMap(({ upload, state }) =>
    state === "durable" && upload.sizeBytes > 0 ? [upload.uploadId] : [],
  );
  if (uploads.length > 0) rotUpload(world, random.pick(uploads), random);
}

function rotUpload(world: World, uploadId: UploadId, random: Random): void {
  const { oracle, counters, pods, stashes } = world;
  oracle.exceedBudget();
  const share = random.pick([0.6, 0.8, 1]);
  for (const { medium } of [...pods, ...stashes]) if (random.chance(share)) medium.rotPayload(uploadId);
  if (oracle.isLost(uploadId)) counters.add("upload rotted beyond repair");
}

function loseHeaders(
  { stashes, counters }: World,
  random: Random,
  maySpend: (address: Address) => boolean,
): void {
  if (random.chance(0.5)) return;
  for (const { medium, node } of stashes) {
    if (!random.chance(0.3) || !maySpend(node.address)) continue;
    medium.replace();
    counters.add("dead device");
  }
}

export function fillPod(world: World, fault: PlannedFault): void {
  const { medium } = targetPod(world, fault);
  medium.setFull(true);
  afterwards(world, fault, () => medium.setFull(false));
}

export function fillStash(world: World, fault: PlannedFault): void {
  const { medium, node } = targetStash(world, fault);
  medium.setFull(true);
  node.take({ type: "occupancy", isFull: true });
  afterwards(world, fault, () => {
    medium.setFull(false);
    node.take({ type: "occupancy", isFull: false });
  });
}
