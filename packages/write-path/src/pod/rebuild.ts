/**
 * Rate at which a pod regains missing shards, as after its drive was replaced. For each one, it asks a coordinator,
 * which gathers k other shards and sends the missing one. So the rate is bounded here: by bytes per second, and by
 * the number of shards in transit, because coordinators have other work and answer no question twice.
 */
import { REBUILD_BYTES_PER_SECOND } from "../placement.ts";
import type { EntryView, PodEntry } from "./entry.ts";
import type { PodState } from "./state.ts";

/** A coordinator works on 256 questions of pods; that is enough for four pods that lack everything. */
const REBUILDS_AT_A_TIME = 64;
/**
 * Bytes of shards in transit are limited to the rate times this period, because a coordinator reads k times as much at
 * once for them. With 64 shards of 256 kB in transit, foreground puts waited for a second behind them.
 */
const ON_THE_WAY_MS = 125;
/** Minimum of that limit, so that a low rate is reached even if a shard is in transit for a second. */
const ON_THE_WAY_BYTES_MIN = 4_000_000;
/** Coordinators abandon a question after this long (RESOLVE_DEADLINE_MS). */
const REBUILD_WITHIN_MS = 8000;
/** Unused credit is kept, up to this period's worth. */
const CREDIT_MS_MAX = 1000;
/** Interval between requests for a few shards each, so that the shards of a second do not arrive at once. */
export const REBUILD_EVERY_MS = 25;
/** Interval at which a rebuilding pod checks all unresolved uploads for missing shards. */
export const LOOK_EVERY_MS = 1000;
const LINE_LENGTH_MAX = (REBUILDS_AT_A_TIME * LOOK_EVERY_MS) / REBUILD_EVERY_MS;
/** Age at which a missing shard is requested. A shard on its way from its author arrives sooner. */
export const REBUILD_AFTER_MS = 4000;

export interface MissingShards {
  readonly shardCount: number;
  readonly bytes: number;
}

/** Counts the shards that this pod knows of and does not hold. */
export function missingShards<Position>(state: PodState<Position>): MissingShards {
  let [shardCount, bytes] = [0, 0];
  for (const entry of state.unresolved.values()) {
    if (entry.state !== "known") continue;
    shardCount += 1;
    bytes += shardBytesOf(entry);
  }
  return { shardCount, bytes };
}

/** Returns true if the queue has as many shards as may be requested until the next check. */
export const isLineFull = <Position>({ rebuildLine }: PodState<Position>): boolean =>
  rebuildLine.length >= LINE_LENGTH_MAX;

/** Takes from the queue the shards that may be requested now. */
export function takeFromLine<Position>(state: PodState<Position>, nowMs: number): PodEntry<Position>[] {
  const { rebuildLine, rebuilding, rebuildCredit: credit } = state;
  earnCredit(state, nowMs);
  const bytesMax = Math.max((rateOf(state) * ON_THE_WAY_MS) / 1000, ON_THE_WAY_BYTES_MIN);
  let bytes = bytesOnTheWay(state, nowMs);
  const taken: PodEntry<Position>[] = [];
  let at = 0;
  for (; at < rebuildLine.length; at += 1) {
    // The credit may become negative, because otherwise shards larger than all of it would never be requested.
    if (credit.bytes <= 0 || rebuilding.size >= REBUILDS_AT_A_TIME || bytes >= bytesMax) break;
    const entry = rebuildLine[at] as PodEntry<Position>;
    const { uploadId } = entry.upload;
    // The shard has arrived or was dropped since it was queued.
    if (entry.state !== "known" || state.unresolved.get(uploadId) !== entry) continue;
    rebuilding.add(uploadId);
    credit.bytes -= shardBytesOf(entry);
    bytes += shardBytesOf(entry);
    taken.push(entry);
  }
  rebuildLine.splice(0, at);
  return taken;
}

/** Before counting, forgets shards that have arrived or that their coordinator has abandoned. */
function bytesOnTheWay<Position>(state: PodState<Position>, nowMs: number): number {
  let bytes = 0;
  for (const uploadId of state.rebuilding) {
    const entry = state.entries.get(uploadId);
    if (entry?.state === "known" && nowMs - entry.bornMs < REBUILD_WITHIN_MS) bytes += shardBytesOf(entry);
    else state.rebuilding.delete(uploadId);
  }
  return bytes;
}

function earnCredit<Position>(state: PodState<Position>, nowMs: number): void {
  const { rebuildCredit: credit } = state;
  const rate = rateOf(state);
  const sinceMs = Math.max(0, nowMs - credit.untilMs);
  credit.bytes = Math.min(credit.bytes + (rate * sinceMs) / 1000, (rate * CREDIT_MS_MAX) / 1000);
  credit.untilMs = nowMs;
}

const rateOf = <Position>({ config }: PodState<Position>): number =>
  config.rebuildBytesPerSecond ?? REBUILD_BYTES_PER_SECOND;

function shardBytesOf<Position>({ upload }: EntryView<Position>): number {
  return Math.ceil(upload.sizeBytes / upload.scheme.dataShardCount);
}
