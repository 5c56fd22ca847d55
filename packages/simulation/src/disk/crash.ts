/**
 * The two ways in which a process dies without warning. After a power cut only the media image remains, and everything
 * in flight or dirty is decided page by page. After a process crash the kernel keeps running: the page cache is kept,
 * and a system call in progress may have done some or all of its work without reporting it.
 */
import type { DiskCore, SimulatedFile } from "./core.ts";
import { decidePage, landSyncs } from "./landing.ts";
import { PAGE_BYTES } from "./page-pool.ts";
import type { Writeback } from "./page-store.ts";

export function powerCut(core: DiskCore): void {
  core.counters.powerCuts++;
  enterSomePagesOfWrites(core);
  for (const file of [...core.files.values()]) {
    core.counters.syncsCutShort += file.syncs.length;
    for (const sync of file.syncs.splice(0)) decideAll(core, file, sync);
    decideAll(core, file, file.store.takeDirty());
    file.store.dropCache();
    if (file.entry !== "listed") decideEntry(core, file);
  }
  core.endEpoch();
  core.setHung(false);
  core.queue.reset();
}

export function processCrash(core: DiskCore): void {
  core.counters.processCrashes++;
  enterSomePagesOfWrites(core);
  for (const file of [...core.files.values()]) {
    core.counters.syncsCutShort += file.syncs.length;
    landSyncs(core, file, Number.POSITIVE_INFINITY);
    if (file.entry !== "creating") continue;
    core.counters.createsCutShort++;
    if (core.below(2) === 0) loseEntry(core, file);
    else file.entry = "unlisted";
  }
  core.endEpoch();
}

/** A write in flight has reached the page cache up to some page. */
function enterSomePagesOfWrites(core: DiskCore): void {
  for (const write of core.writes) {
    core.counters.writesCutShort++;
    enterPrefix(core, write.file, write.offset, write.bytes);
  }
}

export function enterPrefix(core: DiskCore, file: SimulatedFile, offset: number, bytes: Uint8Array): void {
  const pageCount = Math.ceil((offset + bytes.length) / PAGE_BYTES) - Math.floor(offset / PAGE_BYTES);
  const entered = core.below(pageCount + 1);
  if (entered === 0) return;
  const end = Math.min(offset + bytes.length, (Math.floor(offset / PAGE_BYTES) + entered) * PAGE_BYTES);
  file.store.write(offset, bytes.subarray(0, end - offset));
}

function decideAll(core: DiskCore, file: SimulatedFile, writeback: Writeback): void {
  for (let index = 0; index < writeback.pages.length; index++) {
    const page = writeback.pages[index] as number;
    const fate = decidePage(core, file, page, writeback.buffers[index] as Uint8Array, "power_cut");
    if (fate === "kept") core.counters.pagesKeptByCut++;
    else if (fate === "dropped") core.counters.pagesDroppedByCut++;
    else core.counters.pagesCorruptedByCut++;
  }
}

/**
 * A file whose directory was never synced is present or gone; a file that was falsely reported as durable may also be
 * shortened.
 */
function decideEntry(core: DiskCore, file: SimulatedFile): void {
  if (file.entry === "creating") core.counters.createsCutShort++;
  const choice = core.below(3);
  if (choice === 0) {
    core.counters.filesLostByCut++;
    loseEntry(core, file);
    return;
  }
  if (choice === 1 && file.entry === "promised") {
    core.counters.filesShortenedByCut++;
    shorten(core, file);
  }
  file.entry = "listed";
}

function loseEntry(core: DiskCore, file: SimulatedFile): void {
  core.files.delete(file.name);
  file.store.release();
}

function shorten(core: DiskCore, file: SimulatedFile): void {
  file.store.shorten(core.below(file.store.sizeBytes + 1));
}
