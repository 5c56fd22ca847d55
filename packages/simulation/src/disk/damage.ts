import assert from "node:assert/strict";
import type { DiskCore, SimulatedFile } from "./core.ts";
import { damagePage } from "./landing.ts";
import { PAGE_BYTES } from "./page-pool.ts";

export interface MediaPlace {
  readonly fileName: string;
  readonly offset: number;
  readonly bytes: number;
}

export function rotBit(core: DiskCore, within: MediaPlace | undefined): MediaPlace | null {
  const place = within ?? anyLandedPage(core);
  if (place === null) return null;
  const file = requireFile(core, place);
  const offset = place.offset + core.below(place.bytes);
  const page = Math.floor(offset / PAGE_BYTES);
  const content = Uint8Array.from(file.store.mediaPage(page));
  content[offset % PAGE_BYTES] = (content[offset % PAGE_BYTES] as number) ^ (1 << core.below(8));
  core.counters.bitsRotted++;
  damagePage(core, file, page, content, "bit_rot");
  return { fileName: place.fileName, offset, bytes: 1 };
}

export function makeUnreadable(core: DiskCore, place: MediaPlace): void {
  const { store } = requireFile(core, place);
  const end = place.offset + place.bytes;
  for (let page = Math.floor(place.offset / PAGE_BYTES); page * PAGE_BYTES < end; page++) {
    store.markUnreadable(page);
    core.counters.pagesMadeUnreadable++;
  }
}

function anyLandedPage(core: DiskCore): MediaPlace | null {
  const places: MediaPlace[] = [];
  for (const { name, store } of core.files.values()) {
    for (let page = 0; page < store.pageCount; page++) {
      if (!store.hasMediaPage(page)) continue;
      const offset = page * PAGE_BYTES;
      places.push({ fileName: name, offset, bytes: Math.min(PAGE_BYTES, store.sizeBytes - offset) });
    }
  }
  return places[core.below(places.length)] ?? null;
}

function requireFile(core: DiskCore, { fileName, offset, bytes }: MediaPlace): SimulatedFile {
  const file = core.files.get(fileName);
  assert(file !== undefined, `There is no "${fileName}" on the simulated disk to damage.`);
  assert(
    bytes > 0 && offset >= 0 && offset + bytes <= file.store.sizeBytes,
    "The place is outside of its file.",
  );
  return file;
}
