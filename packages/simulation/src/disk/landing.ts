/** Ends a sync: decides which of its pages are on the media, and the answer to its caller. */
import { DiskError } from "@stashlight/shard-log";
import type { DiskCore, SimulatedFile, SyncInFlight } from "./core.ts";
import { PAGE_BYTES } from "./page-pool.ts";
import type { MediaChangeCause } from "./page-store.ts";

/** Largest write that a power cut cannot tear. */
const ATOMIC_WRITE_BYTES = 512;

/**
 * Lands the file's syncs that were called at or before `sequence`. A later sync of the same file waits for the pages
 * that an earlier one is writing, so both are on the media when it answers; an error goes to the earlier one alone.
 */
export function landSyncs(core: DiskCore, file: SimulatedFile, sequence: number): void {
  while (file.syncs.length > 0 && (file.syncs[0] as SyncInFlight).sequence <= sequence) {
    landSync(core, file, file.syncs.shift() as SyncInFlight);
  }
}

function landSync(core: DiskCore, file: SimulatedFile, sync: SyncInFlight): void {
  const { counters, faults } = core;
  if (core.isNextSyncFailing || core.happens(faults.syncError)) {
    core.isNextSyncFailing = false;
    counters.syncErrors++;
    sync.error = new DiskError("io", `EIO: fdatasync of "${file.name}" failed on the simulated disk.`);
    for (let index = 0; index < sync.pages.length; index++) {
      const fate = decidePage(
        core,
        file,
        sync.pages[index] as number,
        sync.buffers[index] as Uint8Array,
        "failed_sync",
      );
      if (fate === "kept") counters.pagesOfFailedSyncKept++;
      else if (fate === "dropped") counters.pagesOfFailedSyncDropped++;
      else counters.pagesOfFailedSyncCorrupted++;
    }
    return;
  }
  if (core.happens(faults.lyingSync)) {
    counters.syncsLiedAbout++;
    for (let index = 0; index < sync.pages.length; index++) {
      file.store.redirty(sync.pages[index] as number, sync.buffers[index] as Uint8Array);
    }
    return;
  }
  for (let index = 0; index < sync.pages.length; index++) {
    landPage(core, file, sync.pages[index] as number, sync.buffers[index] as Uint8Array, "sync");
  }
  if (file.entry !== "creating") file.entry = "listed";
}

/** Writes everything dirty to the media without a sync, as a drive does with its own cache sooner or later. */
export function writeBackAll(core: DiskCore): void {
  for (const file of core.files.values()) {
    // Pages already taken by a sync are older than dirty ones.
    landSyncs(core, file, Number.POSITIVE_INFINITY);
    const { pages, buffers } = file.store.takeDirty();
    for (let index = 0; index < pages.length; index++) {
      landPage(core, file, pages[index] as number, buffers[index] as Uint8Array, "writeback");
    }
    if (file.entry !== "creating") file.entry = "listed";
  }
}

export function landPage(
  core: DiskCore,
  file: SimulatedFile,
  page: number,
  buffer: Uint8Array,
  cause: MediaChangeCause,
): void {
  if (core.happens(core.faults.misdirectedWrite)) {
    misdirect(core, file, page, buffer, cause);
    return;
  }
  core.counters.pagesLanded++;
  file.store.land(page, buffer, cause);
}

/** Writes the page over another one anywhere on the device; its own location keeps the old content. */
function misdirect(
  core: DiskCore,
  file: SimulatedFile,
  page: number,
  buffer: Uint8Array,
  cause: MediaChangeCause,
): void {
  const files = [...core.files.values()].filter((candidate) => candidate.store.pageCount > 0);
  const victim = files[core.below(files.length)] as SimulatedFile;
  const victimPage = core.below(victim.store.pageCount);
  if (victim === file && victimPage === page) {
    file.store.land(page, buffer, cause);
    return;
  }
  core.counters.pagesMisdirected++;
  damagePage(core, victim, victimPage, buffer, "misdirected");
  file.store.abandon(page, buffer);
  file.store.tellLost(page);
}

/** Changes the media without the machine's knowledge; in half of the cases the page cache keeps the old content. */
export function damagePage(
  core: DiskCore,
  file: SimulatedFile,
  page: number,
  content: Uint8Array,
  cause: MediaChangeCause,
): void {
  if (core.random() < 0.5) file.store.cachePage(page);
  file.store.overwriteMedia(page, content, cause);
}

export type PageFate = "kept" | "dropped" | "corrupted";

/** Decides a page with an uncertain outcome: on the media, not on it, or a mixture of old, new and garbage sectors. */
export function decidePage(
  core: DiskCore,
  file: SimulatedFile,
  page: number,
  buffer: Uint8Array,
  cause: MediaChangeCause,
): PageFate {
  const { keptByCut, corruptByCut } = core.faults;
  const draw = core.random();
  if (draw < keptByCut) {
    file.store.land(page, buffer, cause);
    return "kept";
  }
  const isCorrupt = draw < keptByCut + corruptByCut;
  if (isCorrupt) file.store.overwriteMedia(page, mixSectors(core, file.store.mediaPage(page), buffer), cause);
  file.store.abandon(page, buffer);
  return isCorrupt ? "corrupted" : "dropped";
}

function mixSectors(core: DiskCore, old: Uint8Array, fresh: Uint8Array): Uint8Array {
  const mixed = Uint8Array.from(old);
  for (let start = 0; start < PAGE_BYTES; start += ATOMIC_WRITE_BYTES) {
    const end = start + ATOMIC_WRITE_BYTES;
    const choice = core.below(3);
    if (choice === 1) mixed.set(fresh.subarray(start, end), start);
    else if (choice === 2) fillWithGarbage(mixed.subarray(start, end), core.below(0xffff_ffff) + 1);
  }
  return mixed;
}

/** xorshift32: the seed must not be zero. */
function fillWithGarbage(target: Uint8Array, seed: number): void {
  let state = seed | 0;
  for (let index = 0; index < target.length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    target[index] = state;
  }
}
