import type { DiskCore } from "./core.ts";
import { PAGE_BYTES } from "./page-pool.ts";

export function isOnMedia(core: DiskCore, fileName: string, offset: number, bytes: Uint8Array): boolean {
  const file = core.files.get(fileName);
  if (file === undefined || file.entry !== "listed") return false;
  const { store } = file;
  const end = offset + bytes.length;
  if (offset < 0 || end > store.sizeBytes || store.hasUnreadable(offset, bytes.length, "media")) return false;
  for (let at = offset; at < end; ) {
    const page = Math.floor(at / PAGE_BYTES);
    const from = at - page * PAGE_BYTES;
    const length = Math.min(end - at, PAGE_BYTES - from);
    const media = store.mediaPage(page);
    const start = at - offset;
    if (Buffer.compare(media.subarray(from, from + length), bytes.subarray(start, start + length)) !== 0)
      return false;
    at += length;
  }
  return true;
}

/** Returns one page of the media, not a copy; null if it is unreadable or does not exist. */
export function mediaPage(core: DiskCore, fileName: string, page: number): Uint8Array | null {
  const file = core.files.get(fileName);
  if (file === undefined || page >= file.store.pageCount) return null;
  const { store } = file;
  return store.hasUnreadable(page * PAGE_BYTES, 1, "media") ? null : store.mediaPage(page);
}

/** FNV-1a over 32-bit words of all pages that ever landed. */
export function imageHash(core: DiskCore): number {
  let hash = 0x811c9dc5;
  const mix = (word: number): void => {
    hash = Math.imul(hash ^ word, 0x01000193);
  };
  for (const { name, store } of core.files.values()) {
    for (let index = 0; index < name.length; index++) mix(name.charCodeAt(index));
    mix(store.sizeBytes | 0);
    for (let page = 0; page < store.pageCount; page++) {
      if (!store.hasMediaPage(page)) continue;
      const media = store.mediaPage(page);
      mix(page);
      for (const word of new Uint32Array(media.buffer, media.byteOffset, PAGE_BYTES / 4)) mix(word);
    }
  }
  return hash >>> 0;
}
