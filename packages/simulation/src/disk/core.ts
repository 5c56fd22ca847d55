import type { ServiceModel } from "@stashlight/devices";
import type { DiskError } from "@stashlight/shard-log";
import { DeviceQueue } from "./device-queue.ts";
import { type DiskCounters, type DiskFaults, zeroCounters } from "./faults.ts";
import type { PagePool } from "./page-pool.ts";
import type { MediaListener, PageStore, Writeback } from "./page-store.ts";

export interface SimulatedDiskOptions {
  readonly nowUs: () => number;
  /** Runs `action` once, `delayUs` later (a whole number, at least 1). */
  readonly schedule: (delayUs: number, action: () => void) => void;
  /** Uniform in [0, 1); the disk's only source of randomness. */
  readonly random: () => number;
  readonly device: ServiceModel;
  readonly faults: DiskFaults;
  /** Shared between disks and runs to avoid allocating pages again. */
  readonly pool?: PagePool;
}

/**
 * `creating` until create has called back; `listed` if the file would survive a power cut. A file is created under
 * another name and renamed once it is durable, so an `unlisted` file is whole or gone after a cut; only a `promised`
 * file, whose creation the drive falsely reported, may be left in part.
 */
export type EntryState = "creating" | "unlisted" | "promised" | "listed";

export interface SyncInFlight extends Writeback {
  readonly sequence: number;
  error: DiskError | null;
}

export interface SimulatedFile {
  readonly name: string;
  readonly store: PageStore;
  /** Offset of the file on the device, for seeks. */
  readonly baseOffset: number;
  entry: EntryState;
  /** Syncs in flight, in order of their calls, which is also the order in which they land. */
  readonly syncs: SyncInFlight[];
}

export interface WriteInFlight {
  readonly file: SimulatedFile;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** State shared by all parts of a simulated disk: its files, operations in flight, clock and random numbers. */
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
  /** Called just before a process is notified that its sync failed. */
  onSyncFailed: (() => void) | undefined;
  /** Fails the next sync to complete, even if the probability of a sync error is 0. */
  isNextSyncFailing = false;
  /** Number of crashes; operations from an earlier epoch never call back. */
  epoch = 0;
  sequence = 0;
  nextBaseOffset = 0;
  readonly #schedule: SimulatedDiskOptions["schedule"];
  #held: (() => void)[] = [];
  #isHung = false;
  /** Number of operations of this epoch that have not ended. */
  pendingCount = 0;

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
    this.pendingCount++;
    this.#schedule(Math.max(1, Math.ceil(delayUs)), () => {
      if (epoch !== this.epoch) return;
      this.pendingCount--;
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

  /** Ends the epoch: its pending operations never call back. */
  endEpoch(): void {
    this.epoch++;
    this.isNextSyncFailing = false;
    this.pendingCount = 0;
    this.#held = [];
    this.writes.clear();
  }
}
