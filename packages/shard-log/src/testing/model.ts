/**
 * Drives a log at random beside a plain Map, with power cuts, crashes and failing operations. A reopened log must
 * reflect the calls up to some point after the last one acknowledged as durable.
 */
import assert from "node:assert/strict";
import { DiskError } from "../disk.ts";
import type { LogError } from "../errors.ts";
import type { ShardLog } from "../log.ts";
import { type OpenedLog, openLog } from "../open.ts";
import type { LogOptions } from "../options.ts";
import type { LogRecord } from "../read-record.ts";
import { keyOfHeader } from "../record-key.ts";
import { MemoryDisk, type PageFate } from "./memory-disk.ts";
import { collectAnswer, decodeText, makeRecord, makeRecordId, openedLog, smallOptions } from "./samples.ts";

interface Call {
  readonly number: number;
  /** Payload of the append; null for a kill. */
  readonly payload: string | null;
  isDurable: boolean;
}

export interface ModelRun {
  readonly seed: number;
  readonly changes: Partial<LogOptions>;
  readonly steps: number;
  readonly keyCount: number;
  /** Share of operations that fail. */
  readonly failureShare: number;
}

export interface ModelCounts {
  cuts: number;
  recycles: number;
  appends: number;
  full: number;
  poisoned: number;
  moved: number;
  discarded: number;
}

/** The Mulberry32 generator: the same seed gives the same run. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class Model {
  readonly #run: ModelRun;
  readonly #chance: () => number;
  #disk = new MemoryDisk();
  #log: ShardLog;
  /** Result of the last recovery; all later calls are recorded beside it. */
  #base = new Map<number, string>();
  #calls: Call[] = [];
  #payloads = 0;
  readonly counts: ModelCounts = {
    cuts: 0,
    recycles: 0,
    appends: 0,
    full: 0,
    poisoned: 0,
    moved: 0,
    discarded: 0,
  };

  constructor(run: ModelRun) {
    this.#run = run;
    this.#chance = createChance(run.seed);
    this.#log = openedLog(this.#disk, run.changes, true).log;
    this.#failSometimes();
  }

  play(): ModelCounts {
    for (let step = 0; step < this.#run.steps; step++) this.#step();
    this.#restart();
    return this.counts;
  }

  #below(limit: number): number {
    return Math.floor(this.#chance() * limit);
  }

  #failSometimes(): void {
    this.#disk.onOperation = (name) => {
      const canFail = name === "write" || name === "sync";
      if (!canFail || this.#chance() >= this.#run.failureShare) return null;
      return new DiskError(name === "write" ? "no_space" : "io", `An injected failure of ${name}.`);
    };
  }

  #step(): void {
    const dice = this.#below(1000);
    if (dice < 520) this.#append();
    else if (dice < 760) this.#kill();
    else if (dice < 800) this.#flush();
    else if (dice < 810) this.#log.compact(() => {});
    else if (dice < 815) this.#log.checkpoint(() => {});
    else if (dice < 820) this.#log.attest(() => {});
    else if (dice < 825)
      this.#log.scrub(20_000, (_error, result) => assert.equal(result?.bad.length ?? 0, 0));
    else if (dice < 835) this.#read(this.#below(this.#run.keyCount));
    else if (dice < 990) this.#disk.run(this.#below(12));
    else this.#restart();
  }

  #append(): void {
    const number = this.#below(this.#run.keyCount);
    const payload = `${number}:${this.#payloads++}:`.padEnd(
      this.#below(4) === 0 ? this.#below(9000) : 20,
      "x",
    );
    const call: Call = { number, payload, isDurable: false };
    const at = this.#calls.push(call) - 1;
    let isRefused = true;
    this.#log.append(makeRecord(number, payload), (error) => {
      if (error === null && this.#policy === "ring") call.isDurable = true;
      if (error?.code === "log_full") this.counts.full++;
      isRefused &&= error !== null;
      if (isRefused && this.#calls[at] === call && error?.code !== "io_failed") this.#calls.splice(at, 1);
    });
    isRefused = false;
    this.counts.appends++;
  }

  get #policy(): string {
    return this.#run.changes.policy ?? "ring";
  }

  #kill(): void {
    const number = this.#below(this.#run.keyCount);
    if (!this.#log.has(makeRecordId(number)) || this.#log.stats().state !== "open") return;
    const call: Call = { number, payload: null, isDurable: false };
    this.#calls.push(call);
    const isAwaited = this.#below(2) === 0;
    this.#log.kill(
      [makeRecordId(number)],
      isAwaited
        ? (error) => {
            if (error === null) call.isDurable = true;
          }
        : null,
    );
  }

  #flush(): void {
    const calls = [...this.#calls];
    this.#log.flush((error) => {
      if (error === null) for (const call of calls) if (call.payload !== null) call.isDurable = true;
    });
  }

  #read(number: number): void {
    const allowed = new Set([
      this.#base.get(number),
      ...this.#calls.map((each) => (each.number === number ? each.payload : null)),
    ]);
    this.#log.read(makeRecordId(number), (error, record) => {
      if (record !== null) {
        const later = this.#calls.filter((each) => each.number === number).map((each) => each.payload);
        const text = decodeText(record.payload);
        assert(allowed.has(text) || later.includes(text), "A read returned data that was never written.");
      } else assert(error?.code === "not_found" || error?.code === "log_closed", error?.message);
    });
  }

  /** Cuts the power or crashes the process, sometimes again while the log is being opened. */
  #restart(): void {
    const stats = this.#log.stats();
    this.counts.recycles += stats.counters.recyclesTotal;
    this.counts.moved += stats.counters.recordsMovedTotal;
    if (stats.state === "poisoned") this.counts.poisoned++;
    do {
      this.#cut();
      if (this.#below(4) > 0) break;
      openLog(this.#options, () => {});
      this.#disk.run(this.#below(120));
    } while (this.#below(2) === 0);
    this.#disk = this.#disk.powerCut(this.#fates());
    const opened = openedLog(this.#disk, this.#run.changes);
    this.#log = opened.log;
    this.#check(opened);
    this.#failSometimes();
  }

  get #options(): LogOptions {
    return smallOptions(this.#disk, this.#run.changes);
  }

  #cut(): void {
    this.counts.cuts++;
    this.#disk = this.#below(5) === 0 ? this.#disk.processCrash() : this.#disk.powerCut(this.#fates());
  }

  #fates(): () => PageFate {
    const keptShare = this.#below(4) / 3;
    return () => {
      if (this.#chance() < keptShare) return "kept";
      return this.#below(3) === 0 ? "corrupt" : "dropped";
    };
  }

  #check(opened: OpenedLog): void {
    this.counts.discarded += opened.framesDiscarded;
    const damage = opened.damage.filter((each) => each.kind !== "header_copy_lost");
    assert.deepEqual(damage, [], "A power cut was reported as damage.");
    const found = new Map<string, string>();
    for (const header of opened.records) found.set(keyOfHeader(header), this.#payloadOf(header));
    const state = new Map(this.#base);
    let firstAllowed = this.#calls.findLastIndex((call) => call.isDurable) + 1;
    let matched: Map<number, string> | null = null;
    for (let length = 0; length <= this.#calls.length; length++) {
      if (length >= firstAllowed && isSame(state, found)) {
        matched = new Map(state);
        firstAllowed = Number.POSITIVE_INFINITY;
      }
      const call = this.#calls[length];
      if (call?.payload === null) state.delete(call.number);
      else if (call !== undefined) state.set(call.number, call.payload);
    }
    assert(
      matched !== null,
      `The reopened log matches no state that the calls produced (seed ${this.#run.seed}).`,
    );
    this.#base = matched;
    this.#calls = [];
  }

  #payloadOf(header: { uploadId: Uint8Array; shardIndex: number }): string {
    const { error, record } = collectAnswer<{ error: LogError | null; record: LogRecord | null }>(
      this.#disk,
      (done) => this.#log.read(header, (error, record) => done({ error, record })),
    );
    if (record === null) throw error ?? new Error("Nothing was read.");
    return decodeText(record.payload);
  }
}

function isSame(state: ReadonlyMap<number, string>, found: ReadonlyMap<string, string>): boolean {
  if (state.size !== found.size) return false;
  return [...state].every(([number, payload]) => found.get(keyOfHeader(makeRecordId(number))) === payload);
}
