/** A virtual clock and a disk under it, for the tests of this folder. */
import assert from "node:assert/strict";
import { catalogueModel, type ServiceModel } from "@stashlight/devices";
import type { Disk, DiskError, DiskFile } from "@stashlight/shard-log";
import { type DiskFaults, healthy } from "./faults.ts";
import { PagePool } from "./page-pool.ts";
import { SimulatedDisk } from "./simulated-disk.ts";

interface Event {
  readonly atUs: number;
  readonly action: () => void;
}

/** Events in order of time, then of arrival. */
class TestClock {
  nowUs = 0;
  #events: Event[] = [];

  readonly schedule = (delayUs: number, action: () => void): void => {
    assert(Number.isInteger(delayUs) && delayUs >= 1, "A disk schedules whole microseconds ahead.");
    const atUs = this.nowUs + delayUs;
    let place = this.#events.length;
    while (place > 0 && (this.#events[place - 1] as Event).atUs > atUs) place--;
    this.#events.splice(place, 0, { atUs, action });
  };

  /** Runs the next event; false if there is none. */
  step(): boolean {
    const next = this.#events.shift();
    if (next === undefined) return false;
    this.nowUs = next.atUs;
    next.action();
    return true;
  }

  runToRest(): void {
    while (this.step());
  }
}

/** The mulberry32 generator. */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const ssd = catalogueModel("micron-7450-max-3.2tb");
export const hdd = catalogueModel("seagate-exos-x16-16tb");

/** A disk whose operations are awaited by running the clock until nothing is left to happen. */
export class TestDisk {
  readonly clock = new TestClock();
  readonly pool = new PagePool();
  readonly disk: SimulatedDisk;
  view: Disk;

  constructor(seed = 1, faults: Partial<DiskFaults> = {}, device: ServiceModel = ssd) {
    this.disk = new SimulatedDisk({
      nowUs: () => this.clock.nowUs,
      schedule: this.clock.schedule,
      random: seeded(seed),
      device,
      faults: { ...healthy(), ...faults },
      pool: this.pool,
    });
    this.view = this.disk;
  }

  /** Runs the clock until the operation calls back, and returns its result. */
  outcome<T>(begin: (done: (error: DiskError | null, value: T) => void) => void): [DiskError | null, T] {
    const outcomes: [DiskError | null, T][] = [];
    let hasReturned = false;
    begin((error, value) => {
      assert(hasReturned, "A disk never calls back before the call has returned.");
      outcomes.push([error, value]);
    });
    hasReturned = true;
    while (outcomes.length === 0 && this.clock.step());
    const [first, second] = outcomes;
    assert(first !== undefined, "The operation never called back.");
    assert(second === undefined, "An operation calls back once.");
    return first;
  }

  create(name: string, sizeBytes: number): DiskFile {
    const [error, file] = this.outcome<DiskFile | null>((done) => this.view.create(name, sizeBytes, done));
    assert(error === null && file !== null, error?.message);
    return file;
  }

  open(name: string): DiskFile {
    const [error, file] = this.outcome<DiskFile | null>((done) => this.view.open(name, done));
    assert(error === null && file !== null, error?.message);
    return file;
  }

  list(): readonly string[] {
    return this.outcome<readonly string[]>((done) => this.view.list(done))[1];
  }

  write(file: DiskFile, offset: number, bytes: Uint8Array): DiskError | null {
    return this.outcome<void>((done) => file.write(offset, bytes, (error) => done(error)))[0];
  }

  sync(file: DiskFile): DiskError | null {
    return this.outcome<void>((done) => file.sync((error) => done(error)))[0];
  }

  /** The bytes read, or the error. */
  read(
    file: DiskFile,
    offset: number,
    bytes: number,
    from: "read" | "readDirect" = "read",
  ): Uint8Array | DiskError {
    const target = new Uint8Array(bytes).fill(0xee);
    return this.outcome<void>((done) => file[from](offset, target, (error) => done(error)))[0] ?? target;
  }

  powerCut(): void {
    this.disk.powerCut();
    this.view = this.disk.reopen();
  }

  processCrash(): void {
    this.disk.processCrash();
    this.view = this.disk.reopen();
  }
}

export function filled(bytes: number, value: number): Uint8Array {
  return new Uint8Array(bytes).fill(value);
}
