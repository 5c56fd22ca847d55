/** Decides which weights the vaults should have: those of the next epoch, or null while the current ones are right. */
import { currentEpoch, EPOCH_COUNT_MAX, type Epoch, type EpochLedger, WEIGHT_SUM } from "./epoch-ledger.ts";

/** State of a vault as a coordinator knows it. */
export interface VaultView {
  /** True if the vault has been reachable for `sinceMs`; false if it has been unreachable for that time. */
  readonly isReachable: boolean;
  readonly sinceMs: number;
  /** Free bytes, as bytes of bodies. */
  readonly freeBytes: number;
  readonly capacityBytes: number;
}

export interface ReweightTiming {
  /** Time after which an unreachable vault gets no new keys. */
  readonly closeAfterMs: number;
  /** Pause before the next epoch that is not urgent; doubles for each epoch within the last hour. */
  readonly restMs: number;
}

/**
 * A vault gets no new keys below the first share of free space, and gets them again above the second. The remainder is
 * for records that a full vault needs, and for objects of its existing keys.
 */
const CLOSE_BELOW_SHARE = 0.03;
const OPEN_ABOVE_SHARE = 0.08;
/** Weights are kept while the space deviates less, because each epoch moves keys. */
const DRIFT_MAX = 0.15 * WEIGHT_SUM;
const DRIFT_EVERY_MS = 6 * 3_600_000;
const HOUR_MS = 3_600_000;
const REST_DOUBLING_COUNT_MAX = 7;
/** Epochs that an unmerged ledger reserves for urgent changes: a full or unreachable vault. */
const URGENT_EPOCH_COUNT = 32;

export type DesiredEpoch = Pick<Epoch, "weights" | "reason">;

export function desiredEpoch(
  book: EpochLedger,
  views: readonly VaultView[],
  timing: ReweightTiming,
  nowMs: number,
): DesiredEpoch | null {
  const current = currentEpoch(book);
  const before = views.map((_, vault) => current.weights[vault] ?? 0);
  const states = views.map((view, vault) => stateOf(view, (before[vault] as number) > 0, timing));
  const reason = reasonFor(book, before, states);
  const wanted = weightsOf(views, states);
  // If no other vault accepts keys, an unreachable or full vault keeps its own.
  if (wanted === null) return null;
  const weights = knownWeights(book, wanted);
  if (driftBetween(weights, before) === 0) return null;
  const isUrgent = reason === "full" || reason === "unreachable";
  if (isUrgent) return book.epochs.length < EPOCH_COUNT_MAX ? { weights, reason } : null;
  if (book.epochs.length >= EPOCH_COUNT_MAX - URGENT_EPOCH_COUNT) return null;
  const restMs =
    reason === "space" ? DRIFT_EVERY_MS : reason === "joined" ? 0 : restAfter(book, timing, nowMs);
  if (nowMs - current.sinceMs < restMs) return null;
  return reason === "space" && driftBetween(wanted, before) < DRIFT_MAX ? null : { weights, reason };
}

type VaultState = "open" | "full" | "unreachable";

function stateOf(
  { isReachable, sinceMs, freeBytes, capacityBytes }: VaultView,
  isOpen: boolean,
  { closeAfterMs }: ReweightTiming,
): VaultState {
  // A vault that has just failed may recover, and one that has just recovered may fail again.
  const isAway = isReachable !== isOpen && sinceMs < closeAfterMs ? !isOpen : !isReachable;
  if (isAway) return "unreachable";
  // The space reported before a vault became unreachable is unreliable.
  if (!isReachable) return "open";
  return freeBytes < (isOpen ? CLOSE_BELOW_SHARE : OPEN_ABOVE_SHARE) * capacityBytes ? "full" : "open";
}

function reasonFor(
  { epochs }: EpochLedger,
  before: readonly number[],
  states: readonly VaultState[],
): Epoch["reason"] {
  for (const [vault, state] of states.entries()) {
    if (state !== "open" && (before[vault] as number) > 0) return state;
  }
  const opened = states.findIndex((state, vault) => state === "open" && before[vault] === 0);
  if (opened === -1) return "space";
  return epochs.some(({ weights }) => (weights[opened] ?? 0) > 0) ? "back" : "joined";
}

/** Weights in proportion to the free space of the open vaults, none below the minimum. Null if no vault is open. */
function weightsOf(views: readonly VaultView[], states: readonly VaultState[]): number[] | null {
  const space = views.map(({ freeBytes }, vault) => (states[vault] === "open" ? Math.max(1, freeBytes) : 0));
  const total = space.reduce((sum, bytes) => sum + bytes, 0);
  if (total === 0) return null;
  return space.map((bytes) => (bytes === 0 ? 0 : Math.max(1, Math.round((bytes / total) * WEIGHT_SUM))));
}

/**
 * Returns weights of an earlier epoch for the same vaults, if the space deviates no more than kept weights allow. So a
 * returning vault gets its former keys, and the epochs can be merged.
 */
function knownWeights({ epochs }: EpochLedger, wanted: number[]): number[] {
  const near = epochs
    .filter(({ leastWeights }) => leastWeights === undefined)
    .map(({ weights }) => wanted.map((_, vault) => weights[vault] ?? 0))
    .filter((known) => known.every((weight, vault) => weight > 0 === (wanted[vault] as number) > 0))
    .map((known) => ({ known, drift: driftBetween(known, wanted) }))
    .filter(({ drift }) => drift < DRIFT_MAX)
    .sort((a, b) => a.drift - b.drift);
  return near[0]?.known ?? wanted;
}

function driftBetween(weights: readonly number[], others: readonly number[]): number {
  return Math.max(...weights.map((weight, vault) => Math.abs(weight - (others[vault] as number))));
}

function restAfter({ recentMs }: EpochLedger, { restMs }: ReweightTiming, nowMs: number): number {
  const recentCount = recentMs.filter((sinceMs) => nowMs - sinceMs < HOUR_MS).length;
  return Math.min(HOUR_MS, restMs * 2 ** Math.min(recentCount, REST_DOUBLING_COUNT_MAX));
}
