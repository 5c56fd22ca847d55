/**
 * Runs one cell in the measuring process, on the platform's pool, with `queueDepth` requests in flight. It is used for
 * single requests, for queues deeper than a crew, and behind a modelled limit, which has to admit every request.
 */
import { fdatasync, fdatasyncSync, read, readSync, write, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { DiskCell, DiskCellResult, SteadyState } from "@stashlight/contracts/disk";
import { createRandom } from "@stashlight/stats/random";
import { ExponentialHistogram } from "@stashlight/telemetry/histogram";
import { findSteadyState } from "../steady-state.ts";
import { type CellSurroundings, toCellResult } from "./cell-result.ts";
import { freshen } from "./freshen.ts";

/** Interval at which the process checks that its parent still exists. */
const BREATH_MS = 50;

/** Rejects with the drive's error if a request fails or is cut short. */
export async function runCell(cell: DiskCell, surroundings: CellSurroundings): Promise<DiskCellResult> {
  await surroundings.onAsked();
  return new Promise((resolve, reject) => new CellRun(cell, surroundings, resolve, reject).start());
}

class CellRun {
  readonly #cell: DiskCell;
  readonly #around: CellSurroundings;
  readonly #resolve: (result: DiskCellResult) => void;
  readonly #reject: (error: Error) => void;
  readonly #uint32: () => number;
  readonly #blocks: number;
  readonly #latencies = { read: new ExponentialHistogram(), write: new ExponentialHistogram() };
  readonly #iops: number[] = [];
  readonly #totalUs: number[] = [];
  readonly #roundRates: { reads: number; writes: number }[] = [];
  #startMs = 0;
  #cursor = 0;
  #stamp = 0;
  #underWay = 0;
  #writtenBytes = 0;
  #isStopping = false;
  #steadyState: SteadyState | null = null;

  constructor(
    cell: DiskCell,
    around: CellSurroundings,
    resolve: (result: DiskCellResult) => void,
    reject: (error: Error) => void,
  ) {
    this.#cell = cell;
    this.#around = around;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#uint32 = createRandom(around.seed).uint32;
    this.#blocks = Math.floor(around.fileBytes / cell.blockBytes);
  }

  start(): void {
    this.#startMs = this.#around.clock.nowMs();
    const { buffers } = this.#around;
    if (this.#cell.queueDepth === 1) {
      this.#runAlone(buffers[0] as Uint8Array).catch(this.#reject);
      return;
    }
    for (let i = 0; i < this.#cell.queueDepth; i += 1) this.#issue(buffers[i] as Uint8Array);
  }

  /** Issues one request at a time synchronously: a round trip to a thread would count as the drive's, 30 us of 80. */
  async #runAlone(buffer: Uint8Array): Promise<void> {
    const { descriptor } = this.#around;
    const { blockBytes, syncsWrites } = this.#cell;
    while (!this.#isStopping) {
      const breathMs = this.#around.clock.nowMs() + BREATH_MS;
      do {
        const waitMs = this.#waitMs();
        if (waitMs >= 1) await this.#around.clock.wait(waitMs);
        const { isRead, offset } = this.#next(buffer);
        const beganMs = this.#around.clock.nowMs();
        const bytes = isRead
          ? readSync(descriptor, buffer, 0, blockBytes, offset)
          : writeSync(descriptor, buffer, 0, blockBytes, offset);
        if (syncsWrites && !isRead) fdatasyncSync(descriptor);
        this.#record(isRead, beganMs, bytes);
      } while (!this.#isStopping && this.#around.clock.nowMs() < breathMs);
      await setImmediate();
    }
    this.#endIfLast();
  }

  #waitMs(): number {
    const { bucket } = this.#around;
    if (bucket === null) return 0;
    const nowMs = this.#around.clock.nowMs();
    return bucket.admitAtMs(nowMs) - nowMs;
  }

  #issue(buffer: Uint8Array): void {
    const waitMs = this.#waitMs();
    if (waitMs < 1) {
      this.#send(buffer);
      return;
    }
    this.#underWay += 1;
    void this.#around.clock.wait(waitMs).then(() => {
      this.#underWay -= 1;
      if (this.#isStopping) this.#endIfLast();
      else this.#send(buffer);
    });
  }

  /** Draws the next request, and changes the buffer for a write. */
  #next(buffer: Uint8Array): { readonly isRead: boolean; readonly offset: number } {
    const { readShare, access, blockBytes } = this.#cell;
    const isRead = readShare === 1 || (readShare > 0 && this.#uint32() < readShare * 2 ** 32);
    const block = access === "sequential" ? this.#cursor : this.#uint32() % this.#blocks;
    this.#cursor = (this.#cursor + 1) % this.#blocks;
    if (!isRead) {
      this.#stamp += 1;
      freshen(buffer, blockBytes, this.#stamp);
    }
    return { isRead, offset: this.#around.offsetBytes + block * blockBytes };
  }

  #send(buffer: Uint8Array): void {
    const { isRead, offset } = this.#next(buffer);
    const { descriptor } = this.#around;
    const { blockBytes, syncsWrites } = this.#cell;
    this.#underWay += 1;
    const beganMs = this.#around.clock.nowMs();
    const done = (error: Error | null, bytes: number): void => {
      this.#underWay -= 1;
      try {
        if (error !== null) throw error;
        this.#record(isRead, beganMs, bytes);
      } catch (failure) {
        this.#isStopping = true;
        this.#reject(failure as Error);
        return;
      }
      if (this.#isStopping) this.#endIfLast();
      else this.#issue(buffer);
    };
    if (isRead) read(descriptor, buffer, 0, blockBytes, offset, done);
    else if (!syncsWrites) write(descriptor, buffer, 0, blockBytes, offset, done);
    else {
      write(descriptor, buffer, 0, blockBytes, offset, (error, bytes) => {
        if (error !== null) done(error, bytes);
        else fdatasync(descriptor, (failure) => done(failure, bytes));
      });
    }
  }

  /** Counts a request that has just ended, and decides whether it was the last. Throws if it was cut short. */
  #record(isRead: boolean, beganMs: number, bytes: number): void {
    const nowMs = this.#around.clock.nowMs();
    const { blockBytes, secondsMax } = this.#cell;
    if (bytes !== blockBytes) throw new Error(`a request of ${blockBytes} bytes moved ${bytes}`);
    const us = (nowMs - beganMs) * 1_000;
    this.#latencies[isRead ? "read" : "write"].record(us);
    if (!isRead) this.#writtenBytes += bytes;
    const elapsed = (nowMs - this.#startMs) / 1_000;
    this.#count(Math.floor(elapsed), us, isRead);
    const isSteady = this.#steadyState?.isSteady === true;
    if (elapsed >= secondsMax || isSteady || this.#around.isOver(this.#writtenBytes)) this.#isStopping = true;
  }

  #count(second: number, us: number, isRead: boolean): void {
    const { roundSeconds } = this.#cell;
    while (this.#iops.length <= second) {
      const ended = this.#iops.length;
      if (ended > 0) this.#around.onSecond(ended, this.#writtenBytes);
      if (roundSeconds !== null && ended > 0 && ended % roundSeconds === 0) {
        const rates = this.#roundRates.map(({ reads, writes }) => (reads + writes) / roundSeconds);
        this.#steadyState = findSteadyState(rates);
      }
      this.#iops.push(0);
      this.#totalUs.push(0);
    }
    (this.#iops[second] as number) += 1;
    (this.#totalUs[second] as number) += us;
    if (roundSeconds === null) return;
    const round = Math.floor(second / roundSeconds);
    while (this.#roundRates.length <= round) this.#roundRates.push({ reads: 0, writes: 0 });
    const counts = this.#roundRates[round] as { reads: number; writes: number };
    if (isRead) counts.reads += 1;
    else counts.writes += 1;
  }

  #endIfLast(): void {
    if (this.#underWay > 0) return;
    const seconds = (this.#around.clock.nowMs() - this.#startMs) / 1_000;
    const { roundSeconds } = this.#cell;
    // Rates omit the round and the second in progress.
    const rounds =
      roundSeconds === null
        ? null
        : this.#roundRates
            .slice(0, Math.floor(seconds / roundSeconds))
            .map(({ reads, writes }) => ({ reads: reads / roundSeconds, writes: writes / roundSeconds }));
    const wholeSeconds = Math.floor(seconds);
    this.#resolve(
      toCellResult({
        cell: this.#cell,
        seconds,
        latencies: this.#latencies,
        rounds,
        steadyState:
          rounds === null ? null : findSteadyState(rounds.map(({ reads, writes }) => reads + writes)),
        perSecond: {
          iops: this.#iops.slice(0, wholeSeconds),
          meanUs: this.#totalUs
            .slice(0, wholeSeconds)
            .map((us, i) => us / Math.max(1, this.#iops[i] as number)),
        },
      }),
    );
  }
}
