/**
 * Simulates a volume under a demand. The demand is constant within each step, so between two events (a step ends, the
 * credits run out, the bucket is full, the queue is empty) every rate is constant: the simulation moves from event to
 * event, and there is no time step whose length could cause an error.
 *
 * With credits the volume works up to its peak rate, without them at its base rate; its work costs credits, and it
 * always earns the base. Excess work waits in order, or is dropped, as the caller chooses.
 */
import type { VolumeRates } from "./volume.ts";

export interface DemandStep {
  readonly seconds: number;
  readonly iops: number;
  /** Size of one I/O. */
  readonly kib: number;
  /**
   * Share of I/Os that are reads, 0 to 1. EBS counts reads and writes alike; the share only determines how much of the
   * demand is written.
   */
  readonly readShare: number;
}

export interface Demand {
  readonly steps: readonly DemandStep[];
  /** Sequential I/Os are merged up to the size of a credit; each random one costs at least one credit. */
  readonly pattern: "random" | "sequential";
}

export interface ServedPiece {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly demandIops: number;
  readonly servedIops: number;
  readonly creditsFrom: number;
  readonly creditsTo: number;
  readonly queueFrom: number;
  readonly queueTo: number;
}

export interface ServedDemand {
  /** In chronological order, without gaps; every figure is constant or linear within a piece. */
  readonly pieces: readonly ServedPiece[];
  readonly seconds: number;
  readonly demandedIos: number;
  readonly servedIos: number;
  readonly droppedIos: number;
  readonly queuedIosAtEnd: number;
  readonly queuedIosMax: number;
  /** Time during which less was served than requested, or I/Os waited. */
  readonly throttledSeconds: number;
  /** Time at which credits first ran out; null if they never did. */
  readonly emptyAtSeconds: number | null;
  readonly creditsStart: number;
  readonly creditsEnd: number;
  /** Credits earned, excluding those lost to a full bucket. */
  readonly creditsEarned: number;
  readonly creditsSpent: number;
  readonly writtenMiB: number;
}

export interface ServeOptions {
  readonly whenThrottled: "queue" | "drop";
}

/** Waiting I/Os of one kind. */
interface Waiting {
  ios: number;
  readonly kind: IoKind;
}

interface IoKind {
  readonly kib: number;
  readonly credits: number;
  readonly writeShare: number;
}

interface State {
  credits: number;
  queue: Waiting[];
  /** Number of all waiting I/Os, cached because the queue may be long. */
  queued: number;
  seconds: number;
  /** Null if the caller does not need them. */
  pieces: ServedPiece[] | null;
  served: number;
  dropped: number;
  earned: number;
  spent: number;
  throttledSeconds: number;
  queuedMax: number;
  emptyAtSeconds: number | null;
  writtenMiB: number;
}

export function creditsPerIo(
  kib: number,
  pattern: Demand["pattern"],
  rates: Pick<VolumeRates, "creditKiB">,
): number {
  return pattern === "sequential" ? kib / rates.creditKiB : Math.max(1, Math.ceil(kib / rates.creditKiB));
}

/** All steps must have passed `checkStep`. */
export function serveDemand(rates: VolumeRates, demand: Demand, options: ServeOptions): ServedDemand {
  const pieces: ServedPiece[] = [];
  const state = newState(rates, pieces);
  run(state, rates, demand, options, () => true);
  return {
    pieces,
    seconds: state.seconds,
    demandedIos: demand.steps.reduce((sum, { iops, seconds }) => sum + iops * seconds, 0),
    servedIos: state.served,
    droppedIos: state.dropped,
    queuedIosAtEnd: state.queued,
    queuedIosMax: state.queuedMax,
    throttledSeconds: state.throttledSeconds,
    emptyAtSeconds: state.emptyAtSeconds,
    creditsStart: rates.bucketCredits,
    creditsEnd: state.credits,
    creditsEarned: state.earned,
    creditsSpent: state.spent,
    writtenMiB: state.writtenMiB,
  };
}

/** Returns true if no I/O ever waits; stops at the first that does. */
export function servesAll(rates: VolumeRates, demand: Demand): boolean {
  const state = newState(rates, null);
  run(state, rates, demand, { whenThrottled: "drop" }, () => state.throttledSeconds === 0);
  return state.throttledSeconds === 0;
}

const newState = (rates: VolumeRates, pieces: ServedPiece[] | null): State => ({
  credits: rates.bucketCredits,
  queue: [],
  queued: 0,
  seconds: 0,
  pieces,
  served: 0,
  dropped: 0,
  earned: 0,
  spent: 0,
  throttledSeconds: 0,
  queuedMax: 0,
  emptyAtSeconds: null,
  writtenMiB: 0,
});

function run(
  state: State,
  rates: VolumeRates,
  { steps, pattern }: Demand,
  options: ServeOptions,
  goesOn: () => boolean,
): void {
  for (const { seconds, iops, kib, readShare } of steps) {
    const kind: IoKind = { kib, credits: creditsPerIo(kib, pattern, rates), writeShare: 1 - readShare };
    let leftSeconds = seconds;
    while (leftSeconds > 0) {
      leftSeconds -= advance(state, rates, iops, kind, leftSeconds, options);
      if (!goesOn()) return;
    }
  }
}

interface Flow {
  readonly head: Waiting | undefined;
  /** Kind of I/O being served: the head of the queue, or the arrivals. */
  readonly kind: IoKind;
  readonly served: number;
  readonly spending: number;
  /** Rate at which the bucket fills; 0 if it stays full or empty. */
  readonly filling: number;
  /** True if arrivals are of the same kind as the head of the queue, and so join it. */
  readonly joinsHead: boolean;
}

function nextFlow(state: State, rates: VolumeRates, demandIops: number, arriving: IoKind): Flow {
  const head = state.queue[0];
  const kind = head?.kind ?? arriving;
  const creditRate = state.credits > 0 ? rates.peakCreditsPerSecond : rates.baseCreditsPerSecond;
  const possible = Math.min(creditRate / kind.credits, (rates.throughputMiBpsMax * 1_024) / kind.kib);
  const served = head === undefined ? Math.min(demandIops, possible) : possible;
  // If credits are the limit, uses their rate itself, so that rounding cannot drain an empty bucket further.
  const spending = Math.min(creditRate, served * kind.credits);
  const change = rates.baseCreditsPerSecond - spending;
  const isStuck = change > 0 ? state.credits >= rates.bucketCredits : state.credits <= 0;
  const joinsHead = head !== undefined && state.queue.length === 1 && isSameKind(head.kind, arriving);
  return { head, kind, served, spending, filling: isStuck ? 0 : change, joinsHead };
}

/** Advances to the next event, at most `leftSeconds`, and returns the elapsed time. */
function advance(
  state: State,
  rates: VolumeRates,
  demandIops: number,
  arriving: IoKind,
  leftSeconds: number,
  { whenThrottled }: ServeOptions,
): number {
  const flow = nextFlow(state, rates, demandIops, arriving);
  const { head, kind, served, filling, joinsHead } = flow;
  const drainingIops = head === undefined ? 0 : served - (joinsHead ? demandIops : 0);
  const toDrained =
    head !== undefined && drainingIops > 0 ? head.ios / drainingIops : Number.POSITIVE_INFINITY;
  const toTurn = secondsToTurn(state.credits, filling, rates.bucketCredits);
  const seconds = Math.min(leftSeconds, toDrained, toTurn);

  const fromSeconds = state.seconds;
  const queueFrom = state.queued;
  const creditsFrom = state.credits;
  state.seconds += seconds;
  state.served += served * seconds;
  state.writtenMiB += (served * seconds * kind.kib * kind.writeShare) / 1_024;
  moveCredits(state, rates, flow, seconds, seconds === toTurn);
  const waitingIops = head === undefined ? demandIops - served : demandIops;
  if (whenThrottled === "drop") state.dropped += waitingIops * seconds;
  else moveQueue(state, flow, arriving, demandIops, seconds, seconds === toDrained);
  state.queuedMax = Math.max(state.queuedMax, state.queued);
  if (demandIops > served || head !== undefined) state.throttledSeconds += seconds;
  state.pieces?.push({
    fromSeconds,
    toSeconds: state.seconds,
    demandIops,
    servedIops: served,
    creditsFrom,
    creditsTo: state.credits,
    queueFrom,
    queueTo: state.queued,
  });
  return seconds;
}

/** Time until the bucket is empty or full. */
function secondsToTurn(credits: number, filling: number, bucketCredits: number): number {
  if (filling === 0) return Number.POSITIVE_INFINITY;
  return filling < 0 ? credits / -filling : (bucketCredits - credits) / filling;
}

function moveCredits(
  state: State,
  { bucketCredits }: VolumeRates,
  { filling, spending }: Flow,
  seconds: number,
  hasTurned: boolean,
): void {
  if (bucketCredits === 0) return;
  const before = state.credits;
  const moved = Math.min(bucketCredits, Math.max(0, before + filling * seconds));
  state.credits = hasTurned ? (filling < 0 ? 0 : bucketCredits) : moved;
  if (before > 0 && state.credits === 0) state.emptyAtSeconds ??= state.seconds;
  state.spent += spending * seconds;
  state.earned += state.credits - before + spending * seconds;
}

function moveQueue(
  state: State,
  { head, served, joinsHead }: Flow,
  arriving: IoKind,
  demandIops: number,
  seconds: number,
  isDrained: boolean,
): void {
  const { queue } = state;
  if (head === undefined) {
    if (demandIops <= served) return;
    state.queued = (demandIops - served) * seconds;
    queue.push({ ios: state.queued, kind: arriving });
    return;
  }
  const joining = joinsHead ? demandIops : 0;
  head.ios = isDrained ? 0 : Math.max(0, head.ios + (joining - served) * seconds);
  const tail = queue.at(-1);
  if (!joinsHead && demandIops > 0) {
    if (tail !== undefined && tail !== head && isSameKind(tail.kind, arriving)) {
      tail.ios += demandIops * seconds;
    } else {
      queue.push({ ios: demandIops * seconds, kind: arriving });
    }
  }
  while (queue[0]?.ios === 0) queue.shift();
  const [first, second] = queue;
  // With at most one kind the sum is exact; for a longer queue a running sum is kept, so that it need not be added up
  // each time.
  if (second === undefined) state.queued = first?.ios ?? 0;
  else state.queued = Math.max(0, state.queued + (demandIops - served) * seconds);
}

const isSameKind = (one: IoKind, other: IoKind): boolean =>
  one.kib === other.kib && one.credits === other.credits && one.writeShare === other.writeShare;
