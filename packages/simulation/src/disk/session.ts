/** The disk as seen by one process. A crash ends the session: later requests are never answered. */
import assert from "node:assert/strict";
import { type Disk, type DiskDone, DiskError, type DiskFile, type FileDone } from "@stashlight/shard-log";
import { RECORD_ALIGN_BYTES } from "@stashlight/shard-log/image";
import type { DiskCore, SimulatedFile, SyncInFlight, WriteInFlight } from "./core.ts";
import { enterPrefix } from "./crash.ts";
import { landPage, landSyncs } from "./landing.ts";
import { PAGE_BYTES } from "./page-pool.ts";
import { PageStore } from "./page-store.ts";

/** Probability that a read finds a clean page dropped by the kernel. Only pages that differ from the media matter. */
const EVICTION_SHARE = 0.1;
/** Duration of a directory operation whose entry is in the kernel's cache. */
const DIRECTORY_US = 5;

export class DiskSession implements Disk {
  readonly #core: DiskCore;
  readonly #epoch: number;

  constructor(core: DiskCore) {
    this.#core = core;
    this.#epoch = core.epoch;
  }

  list(done: (error: DiskError | null, names: readonly string[]) => void): void {
    if (this.#isOver()) return;
    this.#core.after(DIRECTORY_US, () => done(null, [...this.#core.files.keys()]));
  }

  create(name: string, sizeBytes: number, done: FileDone): void {
    const core = this.#core;
    if (this.#isOver()) return;
    core.counters.creates++;
    if (core.files.has(name)) {
      const error = new DiskError("exists", `EEXIST: "${name}" is already on the simulated disk.`);
      core.after(DIRECTORY_US, () => done(error, null));
      return;
    }
    const isTooMuch = core.nextBaseOffset + sizeBytes > core.device.capacityBytes;
    if (isTooMuch || core.happens(core.faults.noSpace)) {
      this.#failToCreate(name, done);
      return;
    }
    const file = addFile(core, name, sizeBytes);
    core.after(core.queue.delayUs("sync", sizeBytes, file.baseOffset), () => {
      const isLie = core.happens(core.faults.lyingSync);
      if (isLie) core.counters.createsLiedAbout++;
      file.entry = isLie ? "promised" : "listed";
      done(null, this.#handle(file));
    });
  }

  open(name: string, done: FileDone): void {
    if (this.#isOver()) return;
    this.#core.after(DIRECTORY_US, () => {
      const file = this.#core.files.get(name);
      if (file === undefined || file.entry === "creating") {
        done(new DiskError("not_found", `ENOENT: there is no "${name}" on the simulated disk.`), null);
      } else done(null, this.#handle(file));
    });
  }

  #failToCreate(name: string, done: FileDone): void {
    const core = this.#core;
    core.counters.noSpaceErrors++;
    core.after(DIRECTORY_US, () => {
      done(new DiskError("no_space", `ENOSPC: no space for "${name}" on the simulated disk.`), null);
    });
  }

  #handle(file: SimulatedFile): DiskFile {
    return new FileHandle(this.#core, file);
  }

  #isOver(): boolean {
    return isOver(this.#core, this.#epoch);
  }
}

function addFile(core: DiskCore, name: string, sizeBytes: number): SimulatedFile {
  const store = new PageStore(name, sizeBytes, core.pool, () => core.onMediaChange);
  const baseOffset = core.nextBaseOffset;
  const file: SimulatedFile = { name, store, baseOffset, entry: "creating", syncs: [] };
  core.nextBaseOffset += store.pageCount * PAGE_BYTES;
  core.files.set(name, file);
  return file;
}

function isOver(core: DiskCore, epoch: number): boolean {
  if (epoch === core.epoch) return false;
  core.counters.callsAfterCrash++;
  return true;
}

class FileHandle implements DiskFile {
  readonly #core: DiskCore;
  readonly #file: SimulatedFile;
  readonly #epoch: number;
  #isOpen = true;

  constructor(core: DiskCore, file: SimulatedFile) {
    this.#core = core;
    this.#file = file;
    this.#epoch = core.epoch;
  }

  get sizeBytes(): number {
    return this.#file.store.sizeBytes;
  }

  write(offset: number, bytes: Uint8Array, done: DiskDone): void {
    const core = this.#core;
    if (this.#isOver() || this.#isPastTheEnd(offset, bytes.length, done)) return;
    core.counters.writes++;
    const write: WriteInFlight = { file: this.#file, offset, bytes };
    core.writes.add(write);
    let delayUs = core.queue.cacheDelayUs(bytes.length);
    if (core.happens(core.faults.shortWrite)) {
      core.counters.shortWrites++;
      delayUs *= 2 + core.below(3);
    }
    core.after(delayUs, () => {
      core.writes.delete(write);
      done(this.#enter(write));
    });
  }

  sync(done: DiskDone): void {
    const core = this.#core;
    const file = this.#file;
    if (this.#isOver()) return;
    core.counters.syncs++;
    const { pages, buffers } = file.store.takeDirty();
    const sync: SyncInFlight = { pages, buffers, sequence: core.sequence++, error: null };
    file.syncs.push(sync);
    core.after(core.queue.syncDelayUs(file.baseOffset, pages), () => {
      landSyncs(core, file, sync.sequence);
      if (sync.error !== null) core.onSyncFailed?.();
      done(sync.error);
    });
  }

  read(offset: number, target: Uint8Array, done: DiskDone): void {
    const core = this.#core;
    if (this.#isOver() || this.#isPastTheEnd(offset, target.length, done)) return;
    core.counters.reads++;
    const delayUs = this.#isAllCached(offset, target.length)
      ? core.queue.cacheDelayUs(target.length)
      : core.queue.delayUs("read", target.length, this.#file.baseOffset + offset);
    core.after(delayUs, () => {
      this.#evictSome(offset, target.length);
      done(this.#fill(offset, target, "cache"));
    });
  }

  readDirect(offset: number, target: Uint8Array, done: DiskDone): void {
    const core = this.#core;
    assert(offset % PAGE_BYTES === 0 && target.length % PAGE_BYTES === 0, "A direct read is of whole pages.");
    if (this.#isOver() || this.#isPastTheEnd(offset, target.length, done)) return;
    core.counters.directReads++;
    const sequence = core.sequence++;
    core.after(core.queue.delayUs("read", target.length, this.#file.baseOffset + offset), () => {
      landSyncs(core, this.#file, sequence);
      done(this.#fillDirectly(offset, target));
    });
  }

  close(done: DiskDone): void {
    if (this.#isOver()) return;
    this.#isOpen = false;
    this.#core.after(DIRECTORY_US, () => done(null));
  }

  /** Writes into the page cache immediately. */
  #enter({ file, offset, bytes }: WriteInFlight): DiskError | null {
    const core = this.#core;
    if (core.happens(core.faults.writeError)) {
      core.counters.writeErrors++;
      enterPrefix(core, file, offset, bytes);
      return new DiskError("io", `EIO: a write to "${file.name}" failed on the simulated disk.`);
    }
    if (core.happens(core.faults.noSpace)) {
      core.counters.noSpaceErrors++;
      enterPrefix(core, file, offset, bytes);
      return new DiskError(
        "no_space",
        `ENOSPC: no space for a write to "${file.name}" on the simulated disk.`,
      );
    }
    file.store.write(offset, bytes);
    if (core.happens(core.faults.earlyWriteback)) {
      core.counters.pagesWrittenBackEarly += this.#writeBack(offset, bytes.length);
    }
    return null;
  }

  /** Lands the dirty pages of a range without a sync, and returns their number. */
  #writeBack(offset: number, bytes: number): number {
    let pageCount = 0;
    for (let page = Math.floor(offset / PAGE_BYTES); page * PAGE_BYTES < offset + bytes; page++) {
      const buffer = this.#file.store.takePage(page);
      if (buffer === null) continue;
      landPage(this.#core, this.#file, page, buffer, "writeback");
      pageCount++;
    }
    return pageCount;
  }

  /**
   * Linux writes dirty pages of the range back before it reads past the cache. On a drive with power-loss protection
   * those pages are then durable; otherwise they are in the drive's own cache, which serves the read and can still lose
   * them.
   */
  #fillDirectly(offset: number, target: Uint8Array): DiskError | null {
    const core = this.#core;
    const { store } = this.#file;
    if (core.device.hasPowerLossProtection && !core.happens(core.faults.lyingSync)) {
      core.counters.pagesWrittenBackByDirectRead += this.#writeBack(offset, target.length);
    }
    const error = this.#fill(offset, target, "media");
    if (error !== null) return error;
    for (let at = 0; at < target.length; at += PAGE_BYTES) {
      const page = (offset + at) / PAGE_BYTES;
      if (store.isDirty(page)) store.read(offset + at, target.subarray(at, at + PAGE_BYTES), "cache");
    }
    return null;
  }

  #fill(offset: number, target: Uint8Array, from: "cache" | "media"): DiskError | null {
    const { counters, faults } = this.#core;
    const { store, name } = this.#file;
    if (this.#core.happens(faults.readError)) {
      counters.readErrors++;
      return new DiskError("io", `EIO: a read of "${name}" failed on the simulated disk.`);
    }
    if (store.hasUnreadable(offset, target.length, from)) {
      counters.unreadablePagesRead++;
      return new DiskError("io", `EIO: a page of "${name}" is unreadable on the simulated disk.`);
    }
    store.read(offset, target, from);
    if (this.#core.happens(faults.garbledRead)) this.#garble(target);
    return null;
  }

  #garble(target: Uint8Array): void {
    const core = this.#core;
    core.counters.garbledReads++;
    const start = core.below(RECORD_ALIGN_BYTES);
    const [first, step] = [core.below(255), core.below(255)];
    // Changes a byte in each place where a record may begin, so that no record escapes; two reads get the same bytes
    // once in millions.
    for (let at = start, place = 0; at < target.length; at += RECORD_ALIGN_BYTES, place += 1)
      target[at] = (target[at] as number) ^ (1 + ((first + place * step) % 255));
  }

  #evictSome(offset: number, bytes: number): void {
    const { store } = this.#file;
    if (!store.mayHaveStale) return;
    for (let page = Math.floor(offset / PAGE_BYTES); page * PAGE_BYTES < offset + bytes; page++) {
      if (!store.isStale(page) || !this.#core.happens(EVICTION_SHARE)) continue;
      store.evict(page);
      this.#core.counters.stalePagesEvicted++;
    }
  }

  #isAllCached(offset: number, bytes: number): boolean {
    for (let page = Math.floor(offset / PAGE_BYTES); page * PAGE_BYTES < offset + bytes; page++) {
      if (!this.#file.store.isCached(page)) return false;
    }
    return true;
  }

  #isOver(): boolean {
    assert(this.#isOpen, `The file "${this.#file.name}" has been closed by this process.`);
    return isOver(this.#core, this.#epoch);
  }

  #isPastTheEnd(offset: number, bytes: number, done: DiskDone): boolean {
    const { store, name } = this.#file;
    if (offset >= 0 && offset + bytes <= store.sizeBytes) return false;
    const range = `${offset} to ${offset + bytes}`;
    const error = new DiskError("io", `Bytes ${range} are past the ${store.sizeBytes} bytes of "${name}".`);
    this.#core.after(1, () => done(error));
    return true;
  }
}
