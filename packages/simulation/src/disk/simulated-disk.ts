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
 * A disk under a virtual clock that fails as disks do: see faults.ts for what, page-store.ts for the two layers of
 * its contents and crash.ts for what is left after a crash. Same seed, same calls: same disk.
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

  /** May be changed in place, or replaced, at any moment. */
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

  /** The next sync to end fails, unless a crash comes first. */
  failNextSync(): void {
    this.#core.isNextSyncFailing = true;
  }

  /** Everything dirty reaches the media at once, as when a cache that lied empties itself. */
  writeBack(): void {
    writeBackAll(this.#core);
  }

  /** Nothing in flight ever calls back; of what was not synced, chance decides. Goes on with `reopen`. */
  powerCut(): void {
    powerCut(this.#core);
  }

  /** Nothing in flight ever calls back; the page cache stays. Goes on with `reopen`. */
  processCrash(): void {
    processCrash(this.#core);
  }

  /** The disk for the process that starts after a crash. */
  reopen(): Disk {
    this.#session = new DiskSession(this.#core);
    return this.#session;
  }

  get isHung(): boolean {
    return this.#core.isHung;
  }

  /** While hung, operations end for nobody; afterwards those that were held end one by one. */
  setHung(isHung: boolean): void {
    this.#core.setHung(isHung);
  }

  /** All faults off and no hang. Damage that is done stays done. */
  heal(): void {
    this.#core.faults = healthy();
    this.#core.setHung(false);
  }

  /** Flips one bit of the media, in the given place or in any page ever landed. Says where, or null if none was. */
  rotBit(place?: MediaPlace): MediaPlace | null {
    return rotBit(this.#core, place);
  }

  /** The pages of the place fail to read until they are written again. */
  makeUnreadable(place: MediaPlace): void {
    makeUnreadable(this.#core, place);
  }

  /** Would these bytes be read back after a power cut at this moment that drops all it can? */
  isOnMedia(fileName: string, offset: number, bytes: Uint8Array): boolean {
    return isOnMedia(this.#core, fileName, offset, bytes);
  }

  /** One page of the media as it is, not a copy; null where nothing could be read. */
  mediaPage(fileName: string, page: number): Uint8Array | null {
    return mediaPage(this.#core, fileName, page);
  }

  /** A hash of names, sizes and media of all files, for comparing two runs. */
  imageHash(): number {
    return imageHash(this.#core);
  }

  /** Ends the disk and gives its pages back to the pool. */
  release(): void {
    powerCut(this.#core);
    for (const file of this.#core.files.values()) file.store.release();
    this.#core.files.clear();
  }
}
