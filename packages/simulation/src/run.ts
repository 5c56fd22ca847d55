/**
 * One run of one seed: the planned operations under the planned faults, then a fault-free phase, after which every
 * guarantee must hold.
 */

import { createRandom } from "@stashlight/stats/forkable-random";
import { objectNameOf, type UploadId } from "@stashlight/write-path";
import { isLinearizable } from "./check/linearizability.ts";
import type { Violation } from "./check/oracle.ts";
import { becomeEmpty, deleteEverything } from "./emptying.ts";
import type { RunOptions, TrialName } from "./options.ts";
import { comebackKeys, tryComeback } from "./trials/comeback.ts";
import { slowClockKeys, slowClocks } from "./trials/slow-clocks.ts";
import type { Stage } from "./trials/trial.ts";
import { deleteAtTheWall, wallKeys } from "./trials/wall.ts";
import { BUCKET, Clients } from "./world/clients.ts";
import { FaultInjector } from "./world/faults.ts";
import { World } from "./world/world.ts";

export interface RunResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly eventCount: number;
  readonly traceHash: number;
  readonly virtualMs: number;
  readonly counters: readonly [string, number][];
}

/** Virtual time within which a healed vault must come to rest. */
const REST_WITHIN_MS = 900_000;
const REST_STEP_MS = 5000;
/** A run that does not end is itself a finding. */
const EVENT_COUNT_MAX = 2_000_000;

const trials = {
  comeback: { keys: comebackKeys, stage: tryComeback },
  "slow clocks": { keys: slowClockKeys, stage: slowClocks },
  wall: { keys: wallKeys, stage: deleteAtTheWall },
} as const satisfies Record<
  TrialName,
  { keys: readonly string[]; stage: (stage: Stage) => Violation | null }
>;

export interface RunObserver {
  /** Called once, before the first event. */
  begin(world: World, clients: Clients): void;
}

export function run(options: RunOptions, observer?: RunObserver): RunResult {
  const keys = [...new Set(options.operations.map(({ key }) => key))];
  const clients = new Clients(keys);
  const world = new World(options, clients);
  clients.attach(world);
  observer?.begin(world, clients);
  const faults = new FaultInjector(world);
  world.startAll();
  clients.schedule(options.operations);
  faults.schedule(options.faults);
  const lastMs = Math.max(
    0,
    ...options.operations.map(({ atMs }) => atMs),
    ...options.faults.map(({ atMs }) => atMs),
  );
  advance(world, (lastMs + 30_000) * 1000);
  const advanceBy = (ms: number) => advance(world, usAfter(world, ms));
  const { trial } = options;
  const trialKeys = trial === null ? [] : trials[trial].keys;
  const leftKeys = trial === "wall" ? keys : [...keys, ...trialKeys];
  const emptying = { world, clients, keys: leftKeys, advance: advanceBy };
  const stage = { world, clients, faults, random: createRandom(options.seed ^ 0x57a9e), advance: advanceBy };
  const acts = [
    () => faults.healAll(),
    // Full pods cannot accept missing shards until something has been deleted.
    ...(options.isAtWall ? [() => note(world, deleteEverything(emptying))] : []),
    () => comeToRest(world, clients),
    ...(trial === null ? [] : [() => note(world, trials[trial].stage(stage))]),
    // Lets the vault come to rest again: a full pod can accept missing shards once it has free space.
    ...(trial === "wall" ? [() => note(world, deleteEverything({ ...emptying, keys: wallKeys }))] : []),
    ...(trial === null ? [] : [() => comeToRest(world, clients)]),
    () => finalReads(world, clients, leftKeys),
    () => judgeHistory(world, clients),
    () => note(world, deleteEverything(emptying)),
    () => note(world, becomeEmpty(emptying)),
  ];
  for (const act of acts) if (world.violations.length === 0) act();
  return {
    seed: options.seed,
    violations: world.violations,
    eventCount: world.eventCount,
    traceHash: world.traceHash,
    virtualMs: world.queue.nowUs / 1000,
    counters: world.counters.entries(),
  };
}

/** Returns the virtual time, in microseconds, that is this much later. */
function usAfter({ queue }: World, laterMs: number): number {
  return queue.nowUs + laterMs * 1000;
}

function note({ violations }: World, violation: Violation | null): void {
  if (violation !== null && violations.length === 0) violations.push(violation);
}

function advance(world: World, untilUs: number): void {
  while (world.violations.length === 0 && world.queue.step(untilUs)) {
    if (world.eventCount < EVENT_COUNT_MAX) continue;
    world.violations.push({
      property: "liveness",
      sentence: `The run has not ended after ${EVENT_COUNT_MAX} events.`,
    });
  }
  world.queue.nowUs = Math.max(world.queue.nowUs, untilUs);
}

/** Returns the reason why the vault is not at rest; null if it is. */
function unrest(world: World): string | null {
  const countUploads = (uploads: { keys(): Iterable<UploadId> }) =>
    [...uploads.keys()].filter((uploadId) => !world.oracle.waitsForLost(uploadId)).length;
  const waiting = world.pods.find(({ state }) => state?.lifecycle !== "settled");
  if (waiting) return `pod ${waiting.podIndex} is ${waiting.state?.lifecycle ?? "down"}`;
  for (const { deviceId, state, isGone } of world.stashes) {
    if (isGone) continue;
    if (state?.lifecycle !== "serving") return `stash device ${deviceId} is ${state?.lifecycle ?? "down"}`;
    const heldCount = countUploads(state.entries);
    if (heldCount > 0) return `stash device ${deviceId} still holds shards of ${heldCount} uploads`;
  }
  for (const { podIndex, state } of world.pods) {
    const openCount = state ? countUploads(state.unresolved) : 0;
    if (openCount > 0) return `pod ${podIndex} has ${openCount} unresolved uploads`;
    // A pod counts an unreadable shard as held for minutes, and an upload that needs it to have k is undecided meanwhile.
    const unreadableCount = state?.unreadable.size ?? 0;
    if (unreadableCount > 0) return `pod ${podIndex} reads ${unreadableCount} unreadable shards again`;
  }
  for (const { coordinatorId, state } of world.coordinators) {
    if (state === null) return `coordinator ${coordinatorId} is down`;
    const { puts, reads, listings, resolutions } = state;
    const open = puts.size + reads.size + listings.size + resolutions.size;
    if (open > 0) return `coordinator ${coordinatorId} has ${open} open requests`;
  }
  const broken = world.oracle.mustBeWhole().find(({ missing }) => missing.length > 0);
  return broken ? `upload ${broken.upload.uploadId} lacks the shards ${broken.missing.join(", ")}` : null;
}

function comeToRest(world: World, clients: Clients): void {
  const startMs = world.queue.nowUs / 1000;
  let reason = unrest(world);
  while (
    reason !== null &&
    world.queue.nowUs / 1000 - startMs < REST_WITHIN_MS &&
    world.violations.length === 0
  ) {
    advance(world, world.queue.nowUs + REST_STEP_MS * 1000);
    for (const { medium } of [...world.pods, ...world.stashes]) medium.scrub();
    reason = unrest(world);
  }
  clients.abandonUnanswered();
  if (reason !== null && world.violations.length === 0) {
    const sentence = `${REST_WITHIN_MS / 60_000} minutes after all faults ended, ${reason}.`;
    world.violations.push({ property: "liveness", sentence });
  }
}

/** S2: after recovery, GET, HEAD and LIST are exact. They join the history, which is then judged as a whole. */
function finalReads(world: World, clients: Clients, keys: readonly string[]): void {
  const common = { atMs: 0, sizeBytes: 0, condition: "none", coordinator: 0 } as const;
  const before = clients.answeredCount;
  for (const key of keys) clients.issue({ ...common, type: "get", key }, true);
  clients.issue({ ...common, type: "list", key: "" }, true);
  const open = clients.openCount;
  clients.lastList = null;
  advance(world, world.queue.nowUs + 20_000_000);
  if (world.violations.length > 0) return;
  if (clients.answeredCount - before < open || clients.lastList === null) {
    world.violations.push({ property: "S2", sentence: "A vault at rest did not answer every GET and LIST." });
  }
}

function judgeHistory(world: World, clients: Clients): void {
  clients.abandonUnanswered();
  if (world.violations.length > 0) return;
  for (const [key, history] of clients.history) {
    if (isLinearizable(history)) continue;
    if (world.oracle.hasLostShownVersion(objectNameOf({ bucket: BUCKET, key }))) {
      world.counters.add("shown upload lost by media");
      continue;
    }
    const sentence = `No order of the ${history.length} operations on ${key} explains their answers.`;
    world.violations.push({ property: "linearizability", sentence });
  }
}
