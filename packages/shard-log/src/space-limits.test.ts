import { expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import type { ShardLog } from "./log.ts";
import { RESERVE_SEGMENTS } from "./options.ts";
import { liveBytesMax } from "./space-limits.ts";
import {
  collectAnswer,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  smallOptions,
} from "./testing/index.ts";
import { createChance } from "./testing/model.ts";

/** Number of disk operations, without a new call from outside, from which on the log counts as not coming to rest. */
const QUIET_WITHIN = 100_000;

interface Shape {
  readonly changes: { policy: "ring" | "extents"; segmentCount: number; segmentBytes: number };
  readonly payloadBytesMax: number;
  /** Maximum live bytes, as a share of the bytes that data may fill. */
  readonly liveShareMax: number;
  readonly hasCuts: boolean;
  readonly pace: number;
}

/** Draws a shape: each seed has another geometry, other sizes, and another speed of the device. */
function drawShape(seed: number, policy: "ring" | "extents"): Shape {
  const pick = <Item>(items: readonly Item[], at: number): Item => items[at % items.length] as Item;
  return {
    changes: { policy, segmentCount: 4 + (seed % 5), segmentBytes: pick([65_536, 65_536, 131_072], seed) },
    payloadBytesMax: pick([20, 300, 9000], seed),
    liveShareMax: pick([0.1, 0.3, 0.5, 0.6], seed),
    hasCuts: seed % 2 === 0,
    pace: pick([1, 4, 12, 40], Math.floor(seed / 4)),
  };
}

/** Makes random appends, kills and upkeep. At no time do more bytes live than the shape allows. */
class Tenant {
  readonly #shape: Shape;
  readonly #chance: () => number;
  readonly #live = new Map<number, number>();
  #next = 0;
  #disk = new MemoryDisk();
  #log: ShardLog;
  recyclesTotal = 0;
  refusalCount = 0;

  constructor(shape: Shape, seed: number) {
    this.#shape = shape;
    this.#chance = createChance(seed);
    this.#log = openedLog(this.#disk, shape.changes, true).log;
  }

  #below(limit: number): number {
    return Math.floor(this.#chance() * limit);
  }

  step(): void {
    const dice = this.#below(1000);
    if (dice < 450) this.#append();
    else if (dice < 530) this.#killOldest(1 + this.#below(3));
    else if (dice < 620) this.#log.flush(() => {});
    else if (dice < 650) this.#log.compact(() => {});
    else if (dice < 670) this.#log.checkpoint(() => {});
    else if (dice < 990 || !this.#shape.hasCuts) this.#disk.run(this.#below(this.#shape.pace));
    else this.#restart();
  }

  #append(): void {
    const payload = "x".repeat(this.#below(this.#shape.payloadBytesMax));
    const number = this.#next++;
    let isRefused = false;
    this.#log.append(makeRecord(number, payload), (error) => {
      isRefused = error !== null;
    });
    if (isRefused) this.refusalCount++;
    else this.#live.set(number, payload.length + 300);
    this.#killWhatIsTooMuch();
  }

  #killWhatIsTooMuch(): void {
    const { changes, liveShareMax } = this.#shape;
    const bytesMax = liveShareMax * liveBytesMax(smallOptions(this.#disk, changes), "data");
    let bytes = [...this.#live.values()].reduce((sum, each) => sum + each, 0);
    for (; bytes > bytesMax; bytes = [...this.#live.values()].reduce((sum, each) => sum + each, 0))
      this.#killOldest(1);
  }

  #killOldest(count: number): void {
    const oldest = [...this.#live.keys()].slice(0, count);
    for (const number of oldest) this.#live.delete(number);
    this.#log.kill(oldest.map(makeRecordId));
  }

  /** Kills that were not durable are requested again, as by a recovering node. */
  #restart(): void {
    this.recyclesTotal += this.#log.stats().counters.recyclesTotal;
    const keptShare = this.#below(4) / 3;
    this.#disk = this.#disk.powerCut(() => (this.#chance() < keptShare ? "kept" : "dropped"));
    const { log, records } = openedLog(this.#disk, this.#shape.changes);
    this.#log = log;
    this.#live.clear();
    for (const { uploadId, payloadBytes } of records)
      this.#live.set(new DataView(uploadId.buffer, uploadId.byteOffset).getUint32(12), payloadBytes + 300);
    this.#killWhatIsTooMuch();
  }

  /** Returns true if an append is accepted, at the second attempt at the latest, once the log has come to rest. */
  hasRoom(): boolean {
    expect(this.#disk.run(QUIET_WITHIN)).toBeLessThan(QUIET_WITHIN);
    const isTaken = (): boolean =>
      collectAnswer<LogError | null>(this.#disk, (done) =>
        this.#log.append(makeRecord(this.#next, "x"), done),
      ) === null;
    const hasRoom = isTaken() || isTaken();
    if (hasRoom) this.#live.set(this.#next++, 300);
    return hasRoom;
  }
}

test.each(["ring", "extents"] as const)(
  "%s: a log with little live data accepts appends after any history, and comes to rest",
  (policy) => {
    let [recyclesTotal, refusalCount] = [0, 0];
    for (let seed = 1; seed <= 24; seed++) {
      const tenant = new Tenant(drawShape(seed, policy), seed);
      for (let step = 1; step <= 1200; step++) {
        tenant.step();
        if (step % 100 === 0) expect(tenant.hasRoom(), `seed ${seed}, step ${step}`).toBe(true);
      }
      recyclesTotal += tenant.recyclesTotal;
      refusalCount += tenant.refusalCount;
    }
    // The guarantee proves nothing unless space was short.
    expect(recyclesTotal).toBeGreaterThan(100);
    expect(refusalCount).toBeGreaterThan(100);
  },
  60_000,
);

test("a checkpoint takes no space that could be replaced only from the reserve", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  let number = 0;
  while (log.stats().segmentsFree > RESERVE_SEGMENTS) {
    expect(
      collectAnswer(disk, (done) => log.append(makeRecord(number++, "x".repeat(8000)), done)),
    ).toBeNull();
  }
  const { bytesAppendable } = log.stats();
  expect(bytesAppendable).toBeGreaterThan(0);
  expect(collectAnswer(disk, (done) => log.checkpoint(done))).toBeNull();
  expect(log.stats().bytesAppendable).toBe(bytesAppendable);
});
