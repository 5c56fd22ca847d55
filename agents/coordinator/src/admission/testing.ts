/** Simulates a vault of a given capacity behind a lane, in virtual time. */
import { Lane, type LaneLimits, type ShedReason, type Work } from "./lane.ts";

export const smallLane: LaneLimits = {
  quantum: 1,
  countMax: 1024,
  countPerKeyMax: 512,
  slotsMin: 16,
  slotsMax: 64,
  bytesMax: 1_000_000,
};

export interface Client {
  readonly key: string;
  readonly perSecond: number;
  readonly fromMs?: number;
  readonly untilMs?: number;
}

export interface Tally {
  served: number;
  shed: number;
  late: number;
  waitMsMax: number;
  answerMsMax: number;
  readonly reasons: Set<ShedReason>;
}

export interface OverloadRun {
  readonly byKey: ReadonlyMap<string, Tally>;
  readonly waitingCountMax: number;
  readonly runningCountMax: number;
}

interface Arrival {
  readonly atMs: number;
  readonly key: string;
}

interface Running {
  readonly endMs: number;
  readonly work: Work;
}

interface Item {
  readonly work: Work;
  readonly atMs: number;
}

/** Items that the vault completes per second; 0 during a stall. */
type Capacity = (nowMs: number) => number;

export function overload(
  {
    clients,
    capacity,
    forMs,
    latencyMs = 0,
  }: {
    readonly clients: readonly Client[];
    readonly capacity: Capacity;
    readonly forMs: number;
    /** Minimum time per item, independent of the load. */
    readonly latencyMs?: number;
  },
  limits: LaneLimits = smallLane,
): OverloadRun {
  const lane = new Lane<Item>(limits);
  const tallies = new Map<string, Tally>();
  const run = { waitingCountMax: 0, runningCountMax: 0 };
  const arrivals = arrivalsOf(clients, forMs);
  let running: Running[] = [];
  let freeMs = 0;
  let next = 0;
  for (let nowMs = 0; nowMs <= forMs; nowMs += 1) {
    for (const ended of running.filter(({ endMs }) => endMs <= nowMs)) {
      lane.end(ended.work, nowMs);
    }
    running = running.filter(({ endMs }) => endMs > nowMs);
    for (
      let arrival = arrivals[next];
      arrival !== undefined && arrival.atMs <= nowMs;
      arrival = arrivals[++next]
    ) {
      arrive(lane, tallyOf(tallies, arrival.key), arrival.key, nowMs);
    }
    for (const { work } of lane.expire(nowMs)) tallyOf(tallies, work.key).late += 1;
    for (const { item, waitedMs } of lane.begin(nowMs)) {
      const perSecond = capacity(nowMs);
      if (perSecond === 0) freeMs = Math.max(freeMs, nextAbove(capacity, nowMs));
      freeMs = Math.max(freeMs, nowMs) + 1000 / (perSecond || capacity(freeMs));
      const endMs = Math.max(freeMs, nowMs + latencyMs);
      running.push({ endMs, work: item.work });
      const tally = tallyOf(tallies, item.work.key);
      tally.served += 1;
      tally.waitMsMax = Math.max(tally.waitMsMax, waitedMs);
      tally.answerMsMax = Math.max(tally.answerMsMax, endMs - item.atMs);
    }
    run.waitingCountMax = Math.max(run.waitingCountMax, lane.waitingCount);
    run.runningCountMax = Math.max(run.runningCountMax, lane.runningCount);
  }
  return { byKey: tallies, ...run };
}

function arrive(lane: Lane<Item>, tally: Tally, key: string, nowMs: number): void {
  const reason = lane.judge(key, 1, nowMs);
  if (reason !== null) {
    tally.shed += 1;
    tally.reasons.add(reason);
    return;
  }
  const work = { key, cost: 1, bytes: 1, isPatient: false };
  lane.push(work, { work, atMs: nowMs }, nowMs);
}

function nextAbove(capacity: Capacity, fromMs: number): number {
  let ms = fromMs;
  while (capacity(ms) === 0) ms += 1;
  return ms;
}

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  const known = tallies.get(key) ?? {
    served: 0,
    shed: 0,
    late: 0,
    waitMsMax: 0,
    answerMsMax: 0,
    reasons: new Set<ShedReason>(),
  };
  tallies.set(key, known);
  return known;
}

/** Evenly spaced arrivals; those of several clients are merged in order. */
function arrivalsOf(clients: readonly Client[], forMs: number): Arrival[] {
  return clients
    .flatMap(({ key, perSecond, fromMs = 0, untilMs = forMs }) =>
      Array.from({ length: Math.floor(((untilMs - fromMs) * perSecond) / 1000) }, (_, i) => {
        return { atMs: fromMs + (i * 1000) / perSecond, key };
      }),
    )
    .sort((a, b) => a.atMs - b.atMs);
}
