/**
 * A pod: the HDD copy of shard i of every object of its vault. It answers `written` from the page cache, makes
 * everything durable with one fdatasync every few seconds, and then lets the stash purge its copies.
 */
import type { PodEffect, PodEvent } from "../effects.ts";
import type { Address, Message } from "../messages/index.ts";
import { isOfStranger } from "../speaker.ts";
import { find, list, load, loaded } from "./answer-reads.ts";
import { append, appended, appendFailed, confirm } from "./append.ts";
import { compare, DOUBT_TIMER, index } from "./compare.ts";
import { noteDamage, noteUnreadable } from "./damage.ts";
import { flush, flushed, halt, sendPurges } from "./flush.ts";
import { horizonPersisted } from "./horizon.ts";
import { askForOutcomes, discard, note, probe, refusalPersisted } from "./outcome.ts";
import {
  configure,
  doubtAgain,
  greet,
  handoff,
  heardOfPeer,
  pullAgain,
  recovered,
  settleAgain,
} from "./settle.ts";
import { countRefusal, type PodState, settleEntries } from "./state.ts";

/** Limit on entries settled per step: a flush may bring a thousand to rest, and a step must not take long. */
const SETTLED_PER_STEP_MAX = 256;

export function stepPod<Position>(
  state: PodState<Position>,
  event: PodEvent<Position>,
  nowMs: number,
): PodEffect<Position>[] {
  if (state.lifecycle === "halted") return [];
  const effects = take(state, event, nowMs);
  settleEntries(state, SETTLED_PER_STEP_MAX);
  return effects;
}

function take<Position>(
  state: PodState<Position>,
  event: PodEvent<Position>,
  nowMs: number,
): PodEffect<Position>[] {
  switch (event.type) {
    case "recovered":
      return recovered(state, event, nowMs);
    case "configured":
      return configure(state, event.config, nowMs);
    case "clockMoved":
      state.wallAheadMs = event.wallAheadMs;
      return [];
    case "appended":
      return appended(state, event, nowMs);
    case "appendFailed":
      return appendFailed(state, event);
    case "flushed":
      return flushed(state);
    case "flushFailed":
      return halt(state, "fdatasync failed: what was written since the last one may be gone");
    case "refusalPersisted":
      return refusalPersisted(state, event.uploadId);
    case "horizonPersisted":
      return horizonPersisted(state, event.horizon);
    case "room":
      state.room = event.room;
      return [];
    case "corrupt":
      noteDamage(state, event.uploadId, nowMs);
      return [];
    case "unreadable":
      noteUnreadable(state, event.uploadId, nowMs);
      return [];
    case "loaded":
      return loaded(state, event.loadId, event.read, nowMs);
    case "timer":
      return onTimer(state, event.key, nowMs);
    case "message":
      // The pod knows nothing until its log has been read, so senders have to ask again.
      return state.lifecycle === "recovering" ? [] : receive(state, event.from, event.message, nowMs);
  }
}

function onTimer<Position>(state: PodState<Position>, key: string, nowMs: number): PodEffect<Position>[] {
  switch (key) {
    case "flush":
      state.isFlushTimerSet = false;
      return flush(state);
    case "purge":
      return sendPurges(state);
    case "settle":
      return settleAgain(state, nowMs);
    case "outcomes":
      return askForOutcomes(state, nowMs);
    default:
      return key.startsWith(DOUBT_TIMER) ? doubtAgain(state, key, nowMs) : [];
  }
}

function receive<Position>(
  state: PodState<Position>,
  from: Address,
  message: Message,
  nowMs: number,
): PodEffect<Position>[] {
  if (isOfStranger(from, message)) {
    countRefusal(state, "message of a stranger");
    return [];
  }
  switch (message.type) {
    case "pod.append":
      return append(state, from, message, nowMs);
    case "pod.confirm":
      return confirm(state, from, message);
    case "pod.greet":
      return greet(state, from, message, nowMs);
    case "pod.find":
      return find(state, from, message);
    case "pod.list":
      return list(state, from, message);
    case "pod.probe":
      return probe(state, from, message);
    case "pod.load":
      return load(state, from, message);
    case "pod.note":
      return note(state, message);
    case "pod.discard":
      return discard(state, message);
    case "pod.handoff":
      return handoff(state, message, nowMs);
    case "pod.announce":
      return pullAgain(state, message.deviceId);
    case "pod.index":
      return index(state, message);
    case "pod.compare":
      return compare(state, message);
    case "pod.digests":
    case "pod.indexPage":
      return heardOfPeer(state, message, nowMs);
    default:
      return [];
  }
}
