/**
 * A disk whose syncs take as long as those of a drive in the catalogue: work waits for the one arm, or for the channels
 * of an SSD, as packages/devices models it. Writes end in the page cache and are not delayed. Figures measured on it
 * are modelled, and labelled so wherever they are shown.
 *
 * A sync is only modelled and does not wait for the machine's own disk, which may be far slower. So the disk's contents
 * outlive its process, but a power cut of the machine may lose data that the system has not written back by itself.
 */
import type { ServiceModel } from "@stashlight/devices";
import type { Disk, DiskDone, DiskFile } from "@stashlight/shard-log";

/** Resolution of Node's timers. */
const TIMER_MS = 1;

export interface ModelledDiskOptions {
  readonly disk: Disk;
  readonly model: ServiceModel;
  readonly clock: DiskClock;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
}

export interface DiskClock {
  nowMs(): number;
  /** Calls back at this time or as soon as possible after it, never within the call. */
  at(timeMs: number, action: () => void): void;
}

export function modelledDisk(options: ModelledDiskOptions): Disk {
  const device = new BusyDevice(options);
  const wrap = (file: DiskFile | null): DiskFile | null => (file === null ? null : wrapFile(file, device));
  const { disk } = options;
  return {
    list: (done) => disk.list(done),
    create: (name, sizeBytes, done) => disk.create(name, sizeBytes, (error, file) => done(error, wrap(file))),
    open: (name, done) => disk.open(name, (error, file) => done(error, wrap(file))),
  };
}

function wrapFile(file: DiskFile, device: BusyDevice): DiskFile {
  let dirtyBytes = 0;
  return {
    sizeBytes: file.sizeBytes,
    write: (offset, bytes, done) => {
      dirtyBytes += bytes.length;
      file.write(offset, bytes, done);
    },
    sync: (done) => {
      const endsAtMs = device.syncEndsAtMs(dirtyBytes);
      dirtyBytes = 0;
      device.clock.at(endsAtMs, () => done(null));
    },
    read: (offset, target, done) => file.read(offset, target, done),
    readDirect: (offset, target, done) => file.readDirect(offset, target, done),
    close: (done: DiskDone) => file.close(done),
  };
}

class BusyDevice {
  readonly clock: DiskClock;
  readonly #model: ServiceModel;
  readonly #random: () => number;
  #busyUntilMs = 0;

  constructor({ clock, model, random }: ModelledDiskOptions) {
    this.clock = clock;
    this.#model = model;
    this.#random = random;
  }

  /** Returns the end of a sync requested now, which waits for earlier ones. */
  syncEndsAtMs(dirtyBytes: number): number {
    const startMs = Math.max(this.clock.nowMs(), this.#busyUntilMs);
    const serviceTimeUs = this.#model.serviceTimeUs("sync", dirtyBytes, 0, null, this.#random());
    this.#busyUntilMs = startMs + this.#model.occupancyUs("sync", dirtyBytes, serviceTimeUs) / 1000;
    return startMs + serviceTimeUs / 1000;
  }
}

/**
 * Timers are late by up to a millisecond, in which an SSD syncs forty times, so the last millisecond is spent in turns
 * of the event loop.
 */
export function preciseClock(nowMs: () => number): DiskClock {
  const at = (timeMs: number, action: () => void): void => {
    const delayMs = timeMs - nowMs();
    if (delayMs >= TIMER_MS) setTimeout(at, delayMs - TIMER_MS, timeMs, action);
    else if (delayMs > 0) setImmediate(at, timeMs, action);
    else setImmediate(action);
  };
  return { nowMs, at };
}
