/**
 * Coordinators whose clocks are far behind give orders below the horizons that pods choose, so a horizon and an upload
 * meet in the page caches. Power is cut when enough pods are making a horizon durable for their promises together to
 * prove an upload dead. At that moment the page caches hold uploads, or they are empty and an upload arrives just then,
 * some time before the cut.
 */
import { quorumsOf } from "@stashlight/write-path";
import { issue, type Stage, waitUntil } from "./trial.ts";

/** Every pod checks its horizon every five seconds, and orders must be ten seconds old. */
const BEHIND_MS = 60_000;
const SETTLED_WITHIN_MS = 60_000;
const STRUCK_WITHIN_MS = 20_000;
const ROUND_COUNT = 2;
const KEY_COUNT = 10;

export const slowClockKeys: readonly string[] = Array.from({ length: KEY_COUNT }, (_, i) => `slow-${i}`);

/** Writes are half a second apart; the fourth one is a deletion. */
const WRITE_EVERY_STEPS = 2;
/** Number of steps with writes before the vault is left alone and everything in it is flushed. */
const QUIET_AFTER_STEPS = 8;

export function slowClocks(stage: Stage): null {
  const { world } = stage;
  for (let round = 0; round < ROUND_COUNT && world.violations.length === 0; round += 1) {
    // All pods start at the same time, so they check their horizons at the same time.
    world.powerCut();
    for (const { node } of world.coordinators) node.clockOffsetMs -= BEHIND_MS;
    world.powerOn(0);
    const areSettled = () => world.pods.every(({ state }) => state?.lifecycle === "settled");
    if (waitUntil(stage, areSettled, SETTLED_WITHIN_MS)) strike(stage);
    for (const { node } of world.coordinators) node.clockOffsetMs += BEHIND_MS;
  }
  return null;
}

function strike(stage: Stage): void {
  const { world, random, advance } = stage;
  const { refuse } = quorumsOf(world.options.scheme);
  const isQuiet = random.chance(0.5);
  const cutAfterMs = isQuiet ? random.between(20, 2000) : 0;
  let isStruck = false;
  world.onHorizonChosen = () => {
    const pendingCount = world.pods.filter(({ state }) => (state?.pendingHorizon ?? null) !== null).length;
    if (pendingCount < refuse || isStruck) return;
    isStruck = true;
    world.counters.add(`slow clocks: horizons in progress, ${isQuiet ? "then an upload" : "after uploads"}`);
    if (isQuiet) world.queue.schedule(0, () => issue(stage, "put", random.pick(slowClockKeys)));
    world.queue.schedule(cutAfterMs * 1000, () => {
      world.powerCut();
      world.powerOn(random.between(0, 1_000_000));
    });
  };
  let stepCount = 0;
  const isOver = () => {
    stepCount += 1;
    const writes = stepCount % WRITE_EVERY_STEPS === 0 && (!isQuiet || stepCount <= QUIET_AFTER_STEPS);
    const isDeletion = stepCount % (4 * WRITE_EVERY_STEPS) === 0;
    if (writes) issue(stage, isDeletion ? "delete" : "put", random.pick(slowClockKeys));
    return isStruck;
  };
  waitUntil(stage, isOver, STRUCK_WITHIN_MS);
  world.onHorizonChosen = null;
  advance(cutAfterMs + 100);
}
