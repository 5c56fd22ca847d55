/**
 * Scrubs one drive across its boots: reads as much of the log as the schedule allows, and keeps its position across
 * restarts.
 *
 * Waits for a record that cannot be read, because the device may only be absent for some seconds, and skips it after
 * that. Reads the records around it one by one and slowly, so that a scrub alone never spends the budget of failed
 * reads that closes a drive (read-error-budget.ts). Reports each such record to the pod, which has it rebuilt if it
 * stays unreadable. Gives way to other work on the disk (scrub-disk.ts).
 */
import { MINUTE_MS } from "@stashlight/contracts/time";
import type { LogStats, ScrubResult, ShardLog } from "@stashlight/shard-log";
import type { ShardStore } from "@stashlight/shard-store";
import { Countdown, secondsLeft } from "./operation-progress.ts";
import type { ScrubDisk } from "./scrub-disk.ts";
import { type ScrubPace, ScrubSchedule } from "./scrub-schedule.ts";
import { readScrubState, type ScrubRound, type ScrubState, writeScrubState } from "./scrub-state.ts";

/** Bytes per step: if every read of a step fails, it uses at most five places of the budget of failed reads. */
const STEP_BYTES = 262_144;
/** Delays between retries; together they are longer than resets of controllers and storage servers. */
const WAITS_MS = [5000, 15_000, 45_000] as const;
/** Wait after a skipped record: ten failed reads in ten seconds stay below the budget. */
const PASSED_OVER_WAIT_MS = 1000;
/** Number of records to read one by one after a failed one. */
const CAREFUL_RECORDS = 64;
/** Interval between saves, and so the longest time whose work is repeated after a crash. */
const SAVE_EVERY_MS = MINUTE_MS;

export interface DriveScrubOptions {
  readonly stateFolder: string;
  readonly driveId: string;
  readonly roundMs: number;
  /** Wall clock, for times that are compared across restarts. */
  readonly wallClockMs: () => number;
  readonly monotonicMs: () => number;
  /** The disk under the drive; null while it is not known, and for a drive without one. */
  readonly disk: () => ScrubDisk | null;
  /** Called once when saving fails, and again only after it has worked. */
  readonly saveFailed: (reason: string) => void;
}

export interface ScrubFigures {
  readonly startedAtMs: number;
  readonly recordsVerified: number;
  readonly bytesVerified: number;
  readonly corruptCount: number;
  readonly unreadableCount: number;
  readonly repairedCount: number;
}

export interface ScrubReport extends ScrubFigures {
  readonly isOnDemand: boolean;
  /** Rate that the disk allows now. */
  readonly bytesPerSecond: number | null;
  /** Null while the drive is not running. */
  readonly bytesTotal: number | null;
  /** Null while unknown. */
  readonly secondsLeft: number | null;
  readonly oldestUnverifiedSeconds: number;
  /** Time limit of a scheduled round. */
  readonly roundSeconds: number;
  /** True while the next round waits for its scheduled time. */
  readonly isResting: boolean;
  /** Total over all rounds since the drive was first opened. */
  readonly bytesVerifiedTotal: number;
  readonly corruptCountTotal: number;
  readonly last: (ScrubFigures & { readonly endedAtMs: number }) | null;
}

export class DriveScrub {
  readonly #options: DriveScrubOptions;
  readonly #schedule: ScrubSchedule;
  readonly #countdown = new Countdown();
  #store: ShardStore | null = null;
  #lastTickMs: number | null = null;
  /** Changes with each boot and each change of the round, so that findings of an earlier step are ignored. */
  #stepSeries = 0;
  #isStepping = false;
  /** Disk that the scrub shares; `#endReading` ends the read in progress on it. */
  #disk: ScrubDisk | null = null;
  #endReading: (() => void) | null = null;
  #holdUntilMs = 0;
  #waits = 0;
  #isIdle = true;
  #carefulRecords = 0;
  #repairedSeen = 0;
  #saved: ScrubState;
  #savedMs: number;
  #saving: Promise<void> = Promise.resolve();
  #hasSaveFailed = false;

  constructor(options: DriveScrubOptions) {
    this.#options = options;
    const { stateFolder, driveId, roundMs, wallClockMs, monotonicMs } = options;
    this.#saved = readScrubState(stateFolder, driveId, wallClockMs());
    this.#schedule = new ScrubSchedule(roundMs, this.#saved);
    this.#savedMs = monotonicMs();
  }

  /** Continues the round in the log of a drive that has been opened. */
  attach(store: ShardStore): void {
    this.#store = store;
    this.#lastTickMs = null;
    this.#repairedSeen = 0;
    this.#isStepping = false;
    this.#resume();
  }

  detach(): void {
    this.#store = null;
    this.#stepSeries++;
    this.#leaveDisk();
  }

  /** Begins a round at once, or joins the requested one. Without a rate it keeps the current one. */
  start(bytesPerSecond: number | null): void {
    const before = this.#schedule.state;
    this.#schedule.start(bytesPerSecond, this.#options.wallClockMs());
    // A repeated request must not cause writes to a disk on which the scrub yields.
    if (this.#schedule.state === before) return;
    if (this.#schedule.state.round !== before.round) this.#resume();
    this.#save();
  }

  /** Resumes the scheduled round. */
  stop(): void {
    const { round } = this.#schedule.state;
    this.#schedule.stop();
    if (this.#schedule.state.round !== round) this.#resume();
    this.#save();
  }

  /** Called every quarter of a second while the drive runs. */
  tick(stats: LogStats, isUnused: boolean): void {
    this.#followDisk();
    this.#disk?.tick();
    this.#isIdle = isUnused && this.#disk?.isBusy !== true;
    const nowMs = this.#options.monotonicMs();
    const elapsedMs = nowMs - (this.#lastTickMs ?? nowMs);
    this.#lastTickMs = nowMs;
    const schedule = this.#schedule;
    if (schedule.state.round.endGeneration === null) schedule.setEnd(stats.marks.generation);
    if (schedule.state.demand !== null) this.#countdown.note(schedule.bytesLeft(stats.bytesLive), nowMs);
    const dueBytes = this.#dueBytes(elapsedMs, stats.bytesLive);
    if (!this.#isStepping && nowMs >= this.#holdUntilMs) this.#step(dueBytes);
    if (nowMs - this.#savedMs >= SAVE_EVERY_MS) this.#save();
  }

  report(stats: LogStats | null): ScrubReport {
    const { wallClockMs, roundMs } = this.#options;
    const schedule = this.#schedule;
    const { round, demand, last } = schedule.state;
    const nowMs = wallClockMs();
    const bytesPerSecond =
      stats === null ? null : this.#grant(schedule.pace(nowMs, stats.bytesLive, this.#isIdle));
    return {
      ...roundFigures(round),
      isOnDemand: demand !== null,
      bytesPerSecond,
      bytesTotal: stats === null ? null : Math.max(round.bytes, stats.bytesLive),
      secondsLeft: this.#secondsLeft(stats, bytesPerSecond),
      oldestUnverifiedSeconds: schedule.oldestUnverifiedMs(nowMs) / 1000,
      roundSeconds: roundMs / 1000,
      isResting: schedule.isResting(nowMs),
      bytesVerifiedTotal: schedule.state.total.bytes,
      corruptCountTotal: schedule.state.total.corrupt,
      last: last && { ...roundFigures(last), endedAtMs: last.endedMs },
    };
  }

  /** Resolves when the state of the round is saved, or cannot be saved. */
  async settle(): Promise<void> {
    this.#save();
    await this.#saving;
  }

  #secondsLeft(stats: LogStats | null, bytesPerSecond: number | null): number | null {
    if (stats === null || bytesPerSecond === null) return null;
    const left = this.#schedule.bytesLeft(stats.bytesLive);
    const isMeasured = this.#schedule.state.demand !== null && this.#countdown.progress().perSecond !== null;
    if (isMeasured) return secondsLeft({ ...this.#countdown.progress(), left });
    return bytesPerSecond === 0 ? null : left / bytesPerSecond;
  }

  /**
   * Resumes at the beginning of a segment: after a restart, records deleted meanwhile are missing, so a position within
   * a segment would mean other records.
   */
  #resume(): void {
    this.#stepSeries++;
    this.#holdUntilMs = 0;
    this.#waits = 0;
    this.#carefulRecords = 0;
    this.#store?.log.resumeScrub({ generation: this.#schedule.state.round.generation, position: 0 });
  }

  #dueBytes(elapsedMs: number, liveBytes: number): number {
    const nowMs = this.#options.wallClockMs();
    const grant = (pace: ScrubPace) => this.#grant(pace);
    return this.#schedule.dueBytes({ nowMs, elapsedMs, liveBytes, isIdle: this.#isIdle, grant });
  }

  #grant(pace: ScrubPace): number {
    return this.#disk === null ? pace.wanted : this.#disk.grant(this, pace);
  }

  /** The folder of the drive may be on another disk after it was mounted again. */
  #followDisk(): void {
    const disk = this.#options.disk();
    if (disk === this.#disk) return;
    this.#leaveDisk();
    this.#disk = disk;
  }

  #leaveDisk(): void {
    this.#pause();
    this.#disk?.leave(this);
    this.#disk = null;
  }

  #pause(): void {
    this.#endReading?.();
    this.#endReading = null;
  }

  #step(dueBytes: number): void {
    const store = this.#store;
    if (store === null || dueBytes < 1) {
      this.#pause();
      return;
    }
    const { log } = store;
    const series = this.#stepSeries;
    const start = log.scrubPosition;
    this.#isStepping = true;
    this.#endReading ??= this.#disk?.beginReading() ?? null;
    store.scrub(this.#carefulRecords > 0 ? 1 : Math.min(STEP_BYTES, dueBytes), (result) => {
      if (this.#store !== store) return;
      this.#isStepping = false;
      const mayGoOn = result !== null && series === this.#stepSeries && this.#stepped(log, result, start);
      if (mayGoOn) this.#step(this.#dueBytes(0, log.stats().bytesLive));
      else this.#pause();
    });
  }

  /** Returns true if the next step may follow at once. */
  #stepped(log: ShardLog, result: ScrubResult, start: ShardLog["scrubPosition"]): boolean {
    const hasRead = result.unreadable.length === 0;
    if (hasRead) this.#verified(log, result);
    else this.#failed(log, result, start);
    return hasRead && result.bytesRead > 0 && !result.isRoundDone;
  }

  #verified(log: ShardLog, result: ScrubResult): void {
    this.#carefulRecords = Math.max(0, this.#carefulRecords - 1);
    if (this.#carefulRecords === 0) this.#waits = 0;
    this.#advance(log, result);
  }

  #failed(log: ShardLog, result: ScrubResult, start: ShardLog["scrubPosition"]): void {
    const nowMs = this.#options.monotonicMs();
    const waitMs = WAITS_MS[this.#waits];
    const wasCareful = this.#carefulRecords > 0;
    this.#carefulRecords = CAREFUL_RECORDS;
    if (wasCareful && waitMs === undefined) {
      this.#holdUntilMs = nowMs + PASSED_OVER_WAIT_MS;
      this.#advance(log, result);
      return;
    }
    // The next step verifies the other records of this step again, except corrupt ones.
    const again = { records: 0, bytes: 0, unreadable: 0, repaired: 0, corrupt: result.bad.length };
    this.#schedule.advance(again, this.#schedule.state.round.generation);
    log.resumeScrub(start);
    this.#holdUntilMs = nowMs + (waitMs ?? PASSED_OVER_WAIT_MS);
    this.#waits++;
  }

  #advance(log: ShardLog, { recordsVerified, bytesRead, bad, unreadable, isRoundDone }: ScrubResult): void {
    const { recordsRepairedTotal } = log.stats().counters;
    const repaired = recordsRepairedTotal - this.#repairedSeen;
    this.#repairedSeen = recordsRepairedTotal;
    const { generation } = log.scrubPosition;
    this.#schedule.advance(
      {
        records: recordsVerified,
        bytes: bytesRead,
        corrupt: bad.length,
        unreadable: unreadable.length,
        repaired,
      },
      isRoundDone ? this.#schedule.state.round.generation : generation,
    );
    const { endGeneration } = this.#schedule.state.round;
    if (!isRoundDone && (endGeneration === null || generation <= endGeneration)) return;
    this.#schedule.complete(this.#options.wallClockMs());
    this.#resume();
    this.#save();
  }

  /** Writes one state at a time; changes made meanwhile are written next. */
  #save(): void {
    this.#savedMs = this.#options.monotonicMs();
    this.#saving = this.#saving.then(async () => {
      const { state } = this.#schedule;
      if (state === this.#saved) return;
      try {
        await writeScrubState(this.#options.stateFolder, state);
        this.#saved = state;
        this.#hasSaveFailed = false;
      } catch (error) {
        if (!this.#hasSaveFailed) this.#options.saveFailed((error as Error).message);
        this.#hasSaveFailed = true;
      }
    });
  }
}

const roundFigures = (round: ScrubRound): ScrubFigures => ({
  startedAtMs: round.startedMs,
  recordsVerified: round.records,
  bytesVerified: round.bytes,
  corruptCount: round.corrupt,
  unreadableCount: round.unreadable,
  repairedCount: round.repaired,
});
