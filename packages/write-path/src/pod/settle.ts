/**
 * Takes a pod from its boot to being settled.
 *
 * A boot may have lost the page cache, or the whole drive, and does not know what it lost. So it first *replays*: it
 * pulls from every stash device what is kept for it. Then it *compares* itself with peers that have replayed themselves
 * (compare.ts), and takes every upload of theirs that it does not hold into its own index as `known`. Only then is it
 * *settled*, and its silence about an upload means something.
 *
 * How many peers: an acknowledged upload lacks at most one shard on the stash and one on the pods, so after replaying,
 * at most one peer does not know it, and one more for each stash device in D that could not be pulled from. |D| + 2
 * peers therefore know every acknowledged upload, and m + 1 every upload that a reader completed on k pods and showed.
 */
import type { LoggedShard, PodEffect, PodEvent } from "../effects.ts";
import {
  type Address,
  coordinatorAddress,
  type Message,
  type PodMessage,
  type StashMessage,
  stashAddress,
} from "../messages/index.ts";
import type { VaultConfig } from "../placement.ts";
import { quorumsOf } from "../quorums.ts";
import type { Shard, ShardHeader, UploadHeader, UploadId } from "../shard.ts";
import { committedOrderOf } from "./answer.ts";
import { store } from "./append.ts";
import { askPeer, DOUBT_TIMER, doubtWhatPeerLacks, takeDigests, takePage } from "./compare.ts";
import { recoverDamaged } from "./damage.ts";
import { isOvertaken } from "./doubt.ts";
import { addStashDevice, crcOf, type PodEntry } from "./entry.ts";
import { byName } from "./entry-index.ts";
import { dropSuperseded, flush, halt, purgeSoon } from "./flush.ts";
import { closedBelowOf, forgetRefusal, forgetRefusals, hearFloor, isClosedTo } from "./horizon.ts";
import {
  addEntry,
  countRefusal,
  createEntry,
  type EntryFields,
  killRecord,
  type PodState,
  removeEntry,
  someCoordinator,
} from "./state.ts";

type Received<Type extends PodMessage["type"]> = Extract<PodMessage, { type: Type }>;

/** Interval at which unanswered questions are repeated. */
const ASK_AGAIN_MS = 1000;
/** Shards that a start sorts and settles per batch, because neighbours are found faster one after another. */
const SETTLED_AT_ONCE = 32_768;
/**
 * A stash device that has been silent for this long is counted among D. That is much longer than a put may take
 * (PUT_DEADLINE_MS): the coordinator of one in progress may still count a write of an earlier boot of this pod, and
 * neither the device nor a peer need have reported it to this boot. A device that answers later is still pulled from.
 */
export const DEVICE_PATIENCE_MS = 60_000;

export function recovered<Position>(
  state: PodState<Position>,
  event: Extract<PodEvent<Position>, { type: "recovered" }>,
  nowMs: number,
): PodEffect<Position>[] {
  state.identity = event.identity;
  state.lifecycle = "replaying";
  state.bootMs = nowMs;
  state.horizon = event.horizon;
  for (const { uploadId, isKnowing, order } of event.refusals) {
    state.refused.set(uploadId, { isDurable: true, isKnowing, order, waiters: [] });
  }
  const effects: PodEffect<Position>[] = [];
  for (const uploadId of event.displaced ?? []) {
    const entry = state.entries.get(uploadId);
    if (entry !== undefined) effects.push(...removeEntry(state, entry));
  }
  const start = new Start(state, nowMs);
  for (const shard of event.shards) {
    const { upload, position, outcome, isDamaged } = shard;
    // The kill that preceded the promise was lost. Good bytes come from a later repair, and make it void.
    if (isDamaged && outcome === null && state.refused.has(upload.uploadId)) {
      effects.push(killRecord(state, upload, position));
      continue;
    }
    start.add(shard);
    if (state.refused.size > 0) effects.push(...forgetRefusal(state, upload.uploadId));
  }
  effects.push(...forgetRefusals(state));
  const repeated = start.finish();
  // Versions whose end had not reached the medium are still below a committed one, and must be dropped before it is.
  for (const upload of repeated) effects.push(...dropSuperseded(state, { upload }));
  for (const { deviceId } of state.config.stashDevices)
    state.pulls.set(deviceId, { cursor: 0, isDone: false });
  const again: PodEffect<Position> = { type: "setTimer", key: "outcomes", delayMs: ASK_AGAIN_MS };
  return [...effects, ...hello(state), ...ask(state), again];
}

/** Adds the shards of a log. Those that wait for nothing are settled at once, without ever being open. */
class Start<Position> {
  readonly #state: PodState<Position>;
  readonly #nowMs: number;
  #resting: LoggedShard<Position>[] = [];
  /** Settled versions of objects that may have others. */
  readonly #repeated: UploadHeader[] = [];

  constructor(state: PodState<Position>, nowMs: number) {
    this.#state = state;
    this.#nowMs = nowMs;
  }

  add(shard: LoggedShard<Position>): void {
    const { upload, outcome, position, isDamaged } = shard;
    const isResting = outcome === "complete" && upload.kind === "object" && !isDamaged;
    if (isResting && this.#state.entries.settled !== null) {
      this.#resting.push(shard);
      if (this.#resting.length === SETTLED_AT_ONCE) this.#settle();
      return;
    }
    const entry = addEntry(this.#state, upload, this.#fieldsOf(shard), outcome);
    if (isDamaged) recoverDamaged(this.#state, entry, position);
  }

  /** Returns versions of the objects that may have several. */
  finish(): UploadHeader[] {
    this.#settle();
    const { entries } = this.#state;
    for (const { upload } of entries.open.values())
      if (entries.versionsOf(upload).length > 1) this.#repeated.push(upload);
    return this.#repeated;
  }

  #settle(): void {
    const resting = this.#resting.sort(byName);
    this.#resting = [];
    for (const shard of resting) {
      const entry = createEntry(this.#state, shard.upload, this.#fieldsOf(shard), "complete");
      if (this.#state.entries.addSettled(entry)) this.#repeated.push(shard.upload);
    }
  }

  #fieldsOf({ payloadCrc, position }: LoggedShard<Position>): EntryFields<Position> {
    return { payloadCrc, state: "durable", position, bornMs: this.#nowMs };
  }
}

function hello<Position>(state: PodState<Position>): PodEffect<Position>[] {
  const message = introduction(state);
  return Array.from({ length: state.config.coordinatorCount }, (_, id) => {
    return { type: "send", to: coordinatorAddress(id), message };
  });
}

function introduction<Position>(state: PodState<Position>): Message {
  const { identity: pod, lifecycle, finalBelow, floor, room } = state;
  const [isSettled, closedBelow] = [lifecycle === "settled", closedBelowOf(state)];
  return { type: "coordinator.hello", pod, isSettled, finalBelow, closedBelow, floor, room };
}

export function greet<Position>(
  state: PodState<Position>,
  to: Address,
  { floor }: Received<"pod.greet">,
  nowMs: number,
): PodEffect<Position>[] {
  return [...hearFloor(state, floor, nowMs), { type: "send", to, message: introduction(state) }];
}

export function settleAgain<Position>(state: PodState<Position>, nowMs: number): PodEffect<Position>[] {
  return [...advance(state, nowMs), ...ask(state)];
}

/**
 * Introduces the pod, in case a hello was lost, and repeats all unanswered questions. A settled pod sets no timer if
 * it has none.
 */
function ask<Position>(state: PodState<Position>): PodEffect<Position>[] {
  const again: PodEffect<Position> = { type: "setTimer", key: "settle", delayMs: ASK_AGAIN_MS };
  const pulls = [...state.pulls]
    .filter(([, pull]) => !pull.isDone)
    .map(([deviceId]) => askStash(state, deviceId));
  if (state.lifecycle === "settled")
    return pulls.length > 0 ? [...hello(state), ...pulls, again] : hello(state);
  if (state.lifecycle === "replaying") return [...hello(state), ...pulls, again];
  const peers = state.config.podDriveIds.map((_, podIndex) => podIndex);
  const indexes = peers
    .filter((podIndex) => podIndex !== state.identity.podIndex && !hasAnswered(state, podIndex))
    .map((podIndex) => askPeer(state, podIndex));
  return [...hello(state), ...pulls, ...indexes, again];
}

/** Returns true if there is nothing left to ask the peer. */
function hasAnswered<Position>({ comparisons }: PodState<Position>, podIndex: number): boolean {
  const comparison = comparisons.get(podIndex);
  return comparison !== undefined && (comparison.isDone || comparison.doubting !== null);
}

function askStash<Position>(state: PodState<Position>, deviceId: number): PodEffect<Position> {
  const cursor = state.pulls.get(deviceId)?.cursor ?? 0;
  const message: StashMessage = { type: "stash.pull", pod: state.identity, cursor };
  return { type: "send", to: stashAddress(deviceId), message };
}

/** Pulls again from a device that does not know this boot; it may also keep shards for this pod. */
export function pullAgain<Position>(state: PodState<Position>, deviceId: number): PodEffect<Position>[] {
  state.pulls.set(deviceId, { cursor: 0, isDone: false });
  const again: PodEffect<Position> = { type: "setTimer", key: "settle", delayMs: ASK_AGAIN_MS };
  return state.lifecycle === "settled" ? [askStash(state, deviceId), again] : [askStash(state, deviceId)];
}

/**
 * Switches to another epoch of the vault. This pod pulls at once from a stash device that joins: the device then knows
 * the pod's boot and accepts shards for it, and a pod that has not settled yet learns of the uploads of this epoch
 * there.
 */
export function configure<Position>(
  state: PodState<Position>,
  config: VaultConfig,
  nowMs: number,
): PodEffect<Position>[] {
  if (config.epoch <= state.config.epoch) return [];
  const before = new Set(state.config.stashDevices.map(({ deviceId }) => deviceId));
  state.config = config;
  if (config.podDriveIds[state.identity.podIndex] !== state.identity.driveId)
    return halt(state, "another drive has taken the place of this one");
  // The log is not read yet; afterwards the pod pulls from all devices of the current epoch.
  if (state.lifecycle === "recovering") return [];
  const present = config.stashDevices.map(({ deviceId }) => deviceId);
  for (const deviceId of before) if (!present.includes(deviceId)) state.pulls.delete(deviceId);
  const added = present.filter((deviceId) => !before.has(deviceId));
  return [...added.flatMap((deviceId) => pullAgain(state, deviceId)), ...advance(state, nowMs)];
}

/**
 * Takes a shard that the stash hands over. The upload is known from here on, even if the log has no space for its
 * shard: a pod settles on the shards that it was handed. An overtaken one stays on the stash and is only remembered
 * here, until the version above it has ended.
 */
function take<Position>(
  state: PodState<Position>,
  shard: Shard,
  deviceId: number,
  nowMs: number,
): PodEffect<Position>[] {
  const { upload } = shard;
  const hasEnded = isOvertaken(state, upload) && committedOrderOf(state, upload) > upload.order;
  // An upload below the horizon is taken when it is proved to live.
  if (hasEnded || isClosedTo(state, upload)) return [askForEnd(state, upload)];
  if (!state.entries.has(upload.uploadId)) {
    addEntry(state, upload, { payloadCrc: 0, state: "known", position: null, bornMs: nowMs });
  }
  if (isOvertaken(state, upload)) return [];
  if (state.lifecycle !== "settled") state.handedOver.add(upload.uploadId);
  return store(state, { shard, stashDeviceId: deviceId, purpose: "push" }, nowMs);
}

/** Shards from the stash: those already durable here are purged at once, the others after their flush. */
export function handoff<Position>(
  state: PodState<Position>,
  message: Received<"pod.handoff">,
  nowMs: number,
): PodEffect<Position>[] {
  const { deviceId, bootId, shards, damaged, cursor, isLast } = message;
  if (bootId !== state.identity.bootId) return [];
  const effects = damaged.flatMap((shard) => recordDamagedOnStash(state, shard, deviceId, nowMs));
  for (const shard of shards) {
    const { uploadId } = shard.upload;
    const present = state.entries.get(uploadId);
    if (shard.shardIndex !== state.identity.podIndex) countRefusal(state, "handoff of another pod's shard");
    else if (state.refused.has(uploadId)) {
      effects.push(askForEnd(state, shard.upload));
    } else if (!present || present.state === "known") effects.push(...take(state, shard, deviceId, nowMs));
    else if (crcOf(present) !== shard.payloadCrc) countRefusal(state, "handoff of other bytes");
    else if (present.state === "durable") effects.push(...purgeSoon(state, present, deviceId));
    else expectFrom(state, uploadId, deviceId).wasKnown = true;
  }
  const pull = state.pulls.get(deviceId);
  if (cursor === null || !pull || pull.isDone || cursor < pull.cursor) return effects;
  const isNews = cursor > pull.cursor;
  pull.cursor = cursor;
  pull.isDone = isLast;
  if (isLast) return [...effects, ...advance(state, nowMs)];
  return isNews ? [...effects, askStash(state, deviceId)] : effects;
}

/**
 * The device keeps a shard whose bytes it cannot return. The pod then knows of the upload, which may have been
 * acknowledged, and so never promises against it; once the pod has rebuilt the shard from its peers, it asks the device
 * to purge the damaged copy.
 */
function recordDamagedOnStash<Position>(
  state: PodState<Position>,
  { upload, shardIndex }: ShardHeader,
  deviceId: number,
  nowMs: number,
): PodEffect<Position>[] {
  const { uploadId } = upload;
  const present = state.entries.get(uploadId);
  if (shardIndex !== state.identity.podIndex) countRefusal(state, "handoff of another pod's shard");
  else if (state.refused.has(uploadId)) return [askForEnd(state, upload)];
  else if (present?.state === "durable") return purgeSoon(state, present, deviceId);
  else if (present !== undefined) expectFrom(state, uploadId, deviceId);
  else if (isClosedTo(state, upload)) return [askForEnd(state, upload)];
  else {
    const fields = { payloadCrc: 0, state: "known", position: null, bornMs: nowMs } as const;
    addStashDevice(addEntry(state, upload, fields), deviceId);
  }
  return [];
}

/** Notes a device that holds the shard of an entry that is not durable here yet. */
function expectFrom<Position>(
  state: PodState<Position>,
  uploadId: UploadId,
  deviceId: number,
): PodEntry<Position> {
  const entry = state.entries.wake(uploadId) as PodEntry<Position>;
  addStashDevice(entry, deviceId);
  return entry;
}

function askForEnd<Position>(state: PodState<Position>, upload: UploadHeader): PodEffect<Position> {
  return { type: "send", to: someCoordinator(state), message: { type: "coordinator.resolve", upload } };
}

/** Takes a peer's answer about its index, which counts only once both have replayed. */
export function heardOfPeer<Position>(
  state: PodState<Position>,
  message: Received<"pod.digests" | "pod.indexPage">,
  nowMs: number,
): PodEffect<Position>[] {
  const { from, bootId, isReplayed } = message;
  if (bootId !== state.identity.bootId || state.lifecycle !== "comparing" || !isReplayed) return [];
  const next = message.type === "pod.digests" ? takeDigests(state, message) : takePage(state, message, nowMs);
  if (next === null) return [];
  return state.comparisons.get(from)?.isDone ? [...next, ...advance(state, nowMs)] : next;
}

/** Continues the comparison with the peer that the timer names. */
export function doubtAgain<Position>(
  state: PodState<Position>,
  key: string,
  nowMs: number,
): PodEffect<Position>[] {
  if (state.lifecycle !== "comparing") return [];
  const podIndex = Number(key.slice(DOUBT_TIMER.length));
  return [...doubtWhatPeerLacks(state, podIndex), ...advance(state, nowMs)];
}

function advance<Position>(state: PodState<Position>, nowMs: number): PodEffect<Position>[] {
  const { shardCount, discover, refuse } = quorumsOf(state.config.scheme);
  const silent = [...state.pulls.values()].filter((pull) => !pull.isDone).length;
  const hasWaited = nowMs - state.bootMs >= DEVICE_PATIENCE_MS;
  if (state.lifecycle === "replaying" && (silent === 0 || (hasWaited && silent < refuse - 1))) {
    state.lifecycle = "comparing";
    return [...flush(state), ...ask(state)];
  }
  if (state.lifecycle !== "comparing") return [];
  const compared = [...state.comparisons.values()].filter(({ isDone }) => isDone).length;
  if (compared < Math.min(shardCount - 1, Math.max(discover, silent + 2))) return [];
  state.lifecycle = "settled";
  for (const [podIndex, { isDone }] of state.comparisons) if (!isDone) state.comparisons.delete(podIndex);
  return hello(state);
}
