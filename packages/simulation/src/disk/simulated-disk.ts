import type { Disk, DiskError, FileDone } from "@stashlight/shard-log";
import { DiskCore, type SimulatedDiskOptions } from "./core.ts";
import { powerCut, processCrash } from "./crash.ts";
import { type MediaPlace, makeUnreadable, rotBit } from "./damage.ts";
import { type DiskCounters, type DiskFaults, healthy } from "./faults.ts";
import { writeBackAll } from "./landing.ts";
import { imageHash, isOnMedia, mediaPage } from "./oracle.ts";
import { PagePool } from "./page-pool.ts";
import type { MediaListener } from "./page-store.ts";
import { DiskSession } from "./session.ts";

export type { MediaPlace, SimulatedDiskOptions };

/**
 * A disk under a virtual clock that fails realistically: faults.ts lists the faults, page-store.ts has the two layers
 * of its contents, and crash.ts decides what remains after a crash. The same seed and calls give the same disk.
 */
export class SimulatedDisk implements Disk {
  readonly #core: DiskCore;
  #session: DiskSession;

  constructor(options: SimulatedDiskOptions) {
    this.#core = new DiskCore(options, options.pool ?? new PagePool());
    this.#session = new DiskSession(this.#core);
  }

  list(done: (error: DiskError | null, names: readonly string[]) => void): void {
    this.#session.list(done);
  }

  create(name: string, sizeBytes: number, done: FileDone): void {
    this.#session.create(name, sizeBytes, done);
  }

  open(name: string, done: FileDone): void {
    this.#session.open(name, done);
  }

  /** May be mutated or replaced at any moment. */
  get faults(): DiskFaults {
    return this.#core.faults;
  }

  set faults(faults: DiskFaults) {
    this.#core.faults = faults;
  }

  get counters(): Readonly<DiskCounters> {
    return this.#core.counters;
  }

  get onMediaChange(): MediaListener | undefined {
    return this.#core.onMediaChange;
  }

  set onMediaChange(listener: MediaListener | undefined) {
    this.#core.onMediaChange = listener;
  }

  get onSyncFailed(): (() => void) | undefined {
    return this.#core.onSyncFailed;
  }

  set onSyncFailed(listener: (() => void) | undefined) {
    this.#core.onSyncFailed = listener;
  }

  /** Makes the next sync to end fail, unless a crash comes first. */
  failNextSync(): void {
    this.#core.isNextSyncFailing = true;
  }

  /** Writes everything dirty to the media at once, as when the cache of a drive with false syncs flushes itself. */
  writeBack(): void {
    writeBackAll(this.#core);
  }

  /** Cuts the power: operations in flight never call back, and chance decides unsynced data. Continue with `reopen`. */
  powerCut(): void {
    powerCut(this.#core);
  }

  /** Ends the process: operations in flight never call back, and the page cache is kept. Continue with `reopen`. */
  processCrash(): void {
    processCrash(this.#core);
  }

  /** Returns the disk for the process that starts after a crash. */
  reopen(): Disk {
    this.#session = new DiskSession(this.#core);
    return this.#session;
  }

  get isHung(): boolean {
    return this.#core.isHung;
  }

  /** True while an operation has not ended. */
  get isPending(): boolean {
    return this.#core.isHung || this.#core.pendingCount > 0;
  }

  /** Hangs the disk, so that no operation ends, or releases it, after which the held operations end one by one. */
  setHung(isHung: boolean): void {
    this.#core.setHung(isHung);
  }

  /** Ends all faults and any hang. Existing damage remains. */
  heal(): void {
    this.#core.faults = healthy();
    this.#core.setHung(false);
  }

  /**
   * Flips one bit of the media, in the given place or in a random page that has landed. Returns the place, or null if
   * no page has landed.
   */
  rotBit(place?: MediaPlace): MediaPlace | null {
    return rotBit(this.#core, place);
  }

  /** Makes the pages of the place unreadable until they are written again. */
  makeUnreadable(place: MediaPlace): void {
    makeUnreadable(this.#core, place);
  }

  /** Returns true if these bytes would survive a power cut at this moment that drops as much as possible. */
  isOnMedia(fileName: string, offset: number, bytes: Uint8Array): boolean {
    return isOnMedia(this.#core, fileName, offset, bytes);
  }

  /** Returns one page of the media, not a copy; null if it is unreadable. */
  mediaPage(fileName: string, page: number): Uint8Array | null {
    return mediaPage(this.#core, fileName, page);
  }

  /** Hash of names, sizes and media of all files, for comparing two runs. */
  imageHash(): number {
    return imageHash(this.#core);
  }

  /** Ends the disk and returns its pages to the pool. */
  release(): void {
    powerCut(this.#core);
    for (const file of this.#core.files.values()) file.store.release();
    this.#core.files.clear();
  }
}
