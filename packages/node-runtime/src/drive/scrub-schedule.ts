/**
 * Decides how fast a drive is scrubbed. A scheduled round is spread over the time that the vault allows, and prefers
 * times in which nothing else uses the drive and its disk: then it is several times as fast, and at other times it reads
 * only if it is behind an even pace. After a round that ends early the scrub rests, so that a quiet drive reads no more
 * than a busy one. A round that an operator requests begins at once, at its own rate:
 *
 *     resting --its time--> scheduled --start--> requested --its end, or stop--> resting or scheduled
 *
 * After a stop the scheduled round resumes where it was. A request during a requested round joins that round.
 */
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { newRound, type ScrubRound, type ScrubState } from "./scrub-state.ts";

/** A pause of the agent is not compensated for in one burst. */
const DEBT_SECONDS_MAX = 1;
/** A round that is ahead by less continues, so that it does not stop and start repeatedly. */
const AHEAD_MS = MINUTE_MS;
/** A round whose start is further in the future than this began while the clock was wrong. */
const CLOCK_AHEAD_MS_MAX = DAY_MS;

export interface StepFindings {
  readonly records: number;
  readonly bytes: number;
  readonly corrupt: number;
  readonly unreadable: number;
  readonly repaired: number;
}

export interface ScrubTick {
  readonly nowMs: number;
  /** Time since the last tick. */
  readonly elapsedMs: number;
  readonly liveBytes: number;
  /** No client has used the drive for a while, and its disk is not busy. */
  readonly isIdle: boolean;
  /** Returns the rate that the disk allows. */
  readonly grant: (pace: ScrubPace) => number;
}

/** Bytes per second. */
export interface ScrubPace {
  readonly wanted: number;
  /** Limit on all scrubs of a disk together. */
  readonly ceiling: number;
  /** The round would not end in time at a lower rate. */
  readonly floor: number;
}

export class ScrubSchedule {
  readonly #roundMs: number;
  #state: ScrubState;
  #debtBytes = 0;

  constructor(roundMs: number, state: ScrubState) {
    this.#roundMs = roundMs;
    this.#state = state;
  }

  get state(): ScrubState {
    return this.#state;
  }

  get roundMs(): number {
    return this.#roundMs;
  }

  /** Begins a round, or joins the requested one and sets its rate. */
  start(bytesPerSecond: number | null, nowMs: number): void {
    const { demand, round } = this.#state;
    const rate = bytesPerSecond ?? demand?.bytesPerSecond ?? scrubMarks.bytesPerSecond;
    if (demand?.bytesPerSecond === rate) return;
    this.#change({ demand: { bytesPerSecond: rate } });
    if (demand === null) this.#change({ setAside: round, round: newRound(nowMs) });
  }

  stop(): void {
    const { demand, setAside, round } = this.#state;
    if (demand === null) return;
    this.#change({ demand: null, setAside: null, round: setAside ?? round });
    this.#debtBytes = 0;
  }

  /** Called at short intervals while the drive runs; returns the bytes to read now. */
  dueBytes({ nowMs, elapsedMs, liveBytes, isIdle, grant }: ScrubTick): number {
    if (this.#state.round.startedMs - nowMs > CLOCK_AHEAD_MS_MAX) {
      this.#changeRound({ startedMs: Math.floor(nowMs) });
    }
    this.#endRest(nowMs);
    const rate = grant(this.pace(nowMs, liveBytes, isIdle));
    this.#debtBytes = Math.min(this.#debtBytes + (rate * elapsedMs) / 1000, rate * DEBT_SECONDS_MAX);
    return this.#debtBytes;
  }

  /**
   * Returns the rate. A scheduled round that was delayed, for example by an outage of the drive, is faster; one that
   * has exceeded its time is as fast as allowed. The remaining bytes are an estimate, so a round that has read the
   * expected number waits until its scheduled end. A requested round is never slower than a scheduled one.
   */
  pace(nowMs: number, liveBytes: number, isIdle: boolean): ScrubPace {
    const { demand, round } = this.#state;
    const evenPace = (liveBytes * 1000) / this.#paceMs;
    if (demand !== null) return paceUpTo(demand.bytesPerSecond, demand.bytesPerSecond, evenPace);
    if (this.isResting(nowMs)) return paceUpTo(scrubMarks.bytesPerSecond, 0, 0);
    const { bytesPerSecond, idlePaces, latePaces } = scrubMarks;
    const passedMs = Math.max(0, nowMs - round.startedMs);
    if (passedMs >= this.#paceMs) return paceUpTo(bytesPerSecond, bytesPerSecond, latePaces * evenPace);
    const isAhead = round.bytes * 1000 > evenPace * (passedMs + AHEAD_MS);
    const pace = (this.bytesLeft(liveBytes) * 1000) / (this.#paceMs - passedMs);
    const floor = isAhead ? 0 : pace;
    return paceUpTo(bytesPerSecond, isIdle ? Math.max(pace, idlePaces * evenPace) : floor, floor);
  }

  /** Returns true if the last round is complete and the time of the next has not come. */
  isResting(nowMs: number): boolean {
    const { demand, last, round } = this.#state;
    if (demand !== null || last === null || round.records > 0) return false;
    const sinceMs = nowMs - last.startedMs;
    return sinceMs >= 0 && sinceMs < this.#paceMs;
  }

  /** Starts the round that is due after a rest; it covers the present contents of the drive. */
  #endRest(nowMs: number): void {
    const { demand, last, round } = this.#state;
    if (demand !== null || last === null || round.records > 0 || this.isResting(nowMs)) return;
    const dueMs = last.startedMs + this.#paceMs;
    if (round.startedMs >= dueMs || nowMs < dueMs) return;
    this.#changeRound({ startedMs: Math.floor(nowMs), endGeneration: null });
  }

  get #paceMs(): number {
    return this.#roundMs * scrubMarks.roundShare;
  }

  bytesLeft(liveBytes: number): number {
    return Math.max(0, liveBytes - this.#state.round.bytes);
  }

  /** Records a completed step; the next one begins with this generation. */
  advance(findings: StepFindings, generation: number): void {
    const { round, total } = this.#state;
    this.#debtBytes -= findings.bytes;
    this.#change({
      total: { bytes: total.bytes + findings.bytes, corrupt: total.corrupt + findings.corrupt },
    });
    this.#changeRound({
      generation,
      records: round.records + findings.records,
      bytes: round.bytes + findings.bytes,
      corrupt: round.corrupt + findings.corrupt,
      unreadable: round.unreadable + findings.unreadable,
      repaired: round.repaired + findings.repaired,
    });
  }

  setEnd(endGeneration: number): void {
    this.#changeRound({ endGeneration });
  }

  complete(nowMs: number): void {
    const last = { ...this.#state.round, endedMs: Math.floor(nowMs) };
    this.#change({ last, demand: null, setAside: null, round: newRound(nowMs) });
    this.#debtBytes = 0;
  }

  /** Returns the age of the data verified longest ago, as an upper bound. */
  oldestUnverifiedMs(nowMs: number): number {
    const { last, firstOpenedMs } = this.#state;
    return Math.max(0, nowMs - (last?.startedMs ?? firstOpenedMs));
  }

  #changeRound(change: Partial<ScrubRound>): void {
    this.#change({ round: { ...this.#state.round, ...change } });
  }

  #change(change: Partial<ScrubState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

const paceUpTo = (ceiling: number, wanted: number, floor: number): ScrubPace => ({
  wanted: Math.min(ceiling, wanted),
  ceiling,
  floor: Math.min(ceiling, floor),
});
