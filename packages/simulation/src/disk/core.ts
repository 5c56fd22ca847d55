import type { ServiceModel } from "@stashlight/devices";
import type { DiskError } from "@stashlight/shard-log";
import { DeviceQueue } from "./device-queue.ts";
import { type DiskCounters, type DiskFaults, zeroCounters } from "./faults.ts";
import type { PagePool } from "./page-pool.ts";
import type { MediaListener, PageStore, Writeback } from "./page-store.ts";

export interface SimulatedDiskOptions {
  readonly nowUs: () => number;
  /** Runs `action` once, `delayUs` (a whole number, at least 1) later. */
  readonly schedule: (delayUs: number, action: () => void) => void;
  /** Uniform in [0, 1); the disk's only source of chance. */
  readonly random: () => number;
  readonly device: ServiceModel;
  readonly faults: DiskFaults;
  /** Shared between disks and runs, it saves allocating pages again. */
  readonly pool?: PagePool;
}

/**
 * `creating` until create has called back; `listed` says that the file would survive a power cut. A file is made under
 * another name and renamed when it is durable, so one that is `unlisted` is whole or gone after a cut; only of a
 * `promised` one, about whose making the drive lied, a part may be left.
 */
export type EntryState = "creating" | "unlisted" | "promised" | "listed";

export interface SyncInFlight extends Writeback {
  readonly sequence: number;
  error: DiskError | null;
}

export interface SimulatedFile {
  readonly name: string;
  readonly store: PageStore;
  /** Where on the device the file begins, for seeks. */
  readonly baseOffset: number;
  entry: EntryState;
  /** In the order in which they were called, which is also the order in which they land. */
  readonly syncs: SyncInFlight[];
}

export interface WriteInFlight {
  readonly file: SimulatedFile;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** What all parts of a simulated disk share: its files, what is in flight, the clock and chance. */
export class DiskCore {
  readonly device: ServiceModel;
  readonly pool: PagePool;
  readonly queue: DeviceQueue;
  readonly random: () => number;
  readonly files = new Map<string, SimulatedFile>();
  readonly writes = new Set<WriteInFlight>();
  readonly counters: DiskCounters = zeroCounters();
  faults: DiskFaults;
  onMediaChange: MediaListener | undefined;
  /** Called just before a process is told that its sync failed. */
  onSyncFailed: (() => void) | undefined;
  /** The next sync to end fails, whatever its share says. */
  isNextSyncFailing = false;
  /** Counts crashes; what was begun in an earlier epoch never calls back. */
  epoch = 0;
  sequence = 0;
  nextBaseOffset = 0;
  readonly #schedule: SimulatedDiskOptions["schedule"];
  #held: (() => void)[] = [];
  #isHung = false;

  constructor(options: SimulatedDiskOptions, pool: PagePool) {
    this.device = options.device;
    this.pool = pool;
    this.random = options.random;
    this.faults = options.faults;
    this.#schedule = options.schedule;
    this.queue = new DeviceQueue(options.device, options.nowUs, options.random, () => this.faults);
  }

  after(delayUs: number, action: () => void): void {
    const { epoch } = this;
    this.#schedule(Math.max(1, Math.ceil(delayUs)), () => {
      if (epoch !== this.epoch) return;
      if (this.#isHung) {
        this.counters.operationsHeldByHang++;
        this.#held.push(action);
      } else action();
    });
  }

  happens(share: number): boolean {
    return share > 0 && this.random() < share;
  }

  /** Uniform among 0, 1, ..., count - 1. */
  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  get isHung(): boolean {
    return this.#isHung;
  }

  setHung(isHung: boolean): void {
    this.#isHung = isHung;
    if (isHung) return;
    const held = this.#held;
    this.#held = [];
    for (const action of held) this.after(1, action);
  }

  /** No operation of this epoch calls back from here on. */
  endEpoch(): void {
    this.epoch++;
    this.isNextSyncFailing = false;
    this.#held = [];
    this.writes.clear();
  }
}
