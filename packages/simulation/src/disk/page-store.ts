/**
 * The contents of one file in two layers of 4 KiB pages: the *media* image, which a power cut leaves, and the page
 * *cache* over it. It knows neither time nor chance; the caller decides which page lands.
 *
 * The life of a page:
 *
 *     clean --write--> dirty --takeDirty--> in writeback --land----> clean, on the media
 *                        ^                       |-------abandon---> clean, but perhaps not on the media ("stale")
 *                        |                       '-------redirty---> dirty again
 *                        '--- a write to a page in writeback makes a copy: the writeback keeps what it took
 *
 * A clean page has no cache buffer unless it is stale, so pages never written cost nothing, and landing one is the
 * move of a reference. A buffer belongs to exactly one of: the media, the cache, a writeback (with the cache, until
 * the page is written again), the pool.
 */
import assert from "node:assert/strict";
import { PAGE_BYTES, type PagePool } from "./page-pool.ts";

export type MediaChangeCause =
  | "sync"
  | "writeback"
  | "failed_sync"
  | "power_cut"
  | "bit_rot"
  | "misdirected"
  | "lost_write";

/** Notified after a page of the media has changed or, for `lost_write`, after it should have changed and did not. */
export type MediaListener = (fileName: string, pageIndex: number, cause: MediaChangeCause) => void;

/** Pages in writeback, with their content when the sync took them. */
export interface Writeback {
  readonly pages: readonly number[];
  readonly buffers: readonly Uint8Array[];
}

const DIRTY = 1;
const IN_WRITEBACK = 2;
const UNREADABLE = 4;

const ZERO_PAGE = new Uint8Array(PAGE_BYTES);

export class PageStore {
  readonly fileName: string;
  readonly #pool: PagePool;
  readonly #listener: () => MediaListener | undefined;
  #sizeBytes: number;
  #media: (Uint8Array | undefined)[];
  #cache: (Uint8Array | undefined)[];
  #flags: Uint8Array;
  #dirtyPages: number[] = [];
  #mayHaveStale = false;
  #unreadableCount = 0;

  constructor(
    fileName: string,
    sizeBytes: number,
    pool: PagePool,
    listener: () => MediaListener | undefined,
  ) {
    const pageCount = Math.ceil(sizeBytes / PAGE_BYTES);
    this.fileName = fileName;
    this.#sizeBytes = sizeBytes;
    this.#pool = pool;
    this.#listener = listener;
    this.#media = new Array<undefined>(pageCount).fill(undefined);
    this.#cache = new Array<undefined>(pageCount).fill(undefined);
    this.#flags = new Uint8Array(pageCount);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get pageCount(): number {
    return this.#flags.length;
  }

  get mayHaveStale(): boolean {
    return this.#mayHaveStale;
  }

  write(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    for (let at = offset; at < end; ) {
      const page = Math.floor(at / PAGE_BYTES);
      const pageStart = page * PAGE_BYTES;
      const until = Math.min(end, pageStart + PAGE_BYTES);
      const isWhole = until - at === PAGE_BYTES;
      const chunk =
        isWhole && bytes.length === PAGE_BYTES ? bytes : bytes.subarray(at - offset, until - offset);
      this.#writable(page, isWhole).set(chunk, at - pageStart);
      at = until;
    }
  }

  /** Reads from the cache if the page is there, else from the media. */
  read(offset: number, target: Uint8Array, from: "cache" | "media"): void {
    const end = offset + target.length;
    for (let at = offset; at < end; ) {
      const page = Math.floor(at / PAGE_BYTES);
      const pageStart = page * PAGE_BYTES;
      const until = Math.min(end, pageStart + PAGE_BYTES);
      const source = (from === "cache" ? this.#cache[page] : undefined) ?? this.#media[page];
      if (source === undefined) target.fill(0, at - offset, until - offset);
      else target.set(source.subarray(at - pageStart, until - pageStart), at - offset);
      at = until;
    }
  }

  mediaPage(page: number): Uint8Array {
    return this.#media[page] ?? ZERO_PAGE;
  }

  hasMediaPage(page: number): boolean {
    return this.#media[page] !== undefined;
  }

  isCached(page: number): boolean {
    return this.#cache[page] !== undefined;
  }

  isDirty(page: number): boolean {
    return (this.#flagsOf(page) & DIRTY) !== 0;
  }

  isStale(page: number): boolean {
    return this.#cache[page] !== undefined && (this.#flagsOf(page) & (DIRTY | IN_WRITEBACK)) === 0;
  }

  /** Moves all dirty pages to writeback, in the order in which they became dirty. */
  takeDirty(): Writeback {
    const pages: number[] = [];
    const buffers: Uint8Array[] = [];
    for (const page of this.#dirtyPages) {
      if (!this.isDirty(page)) continue;
      pages.push(page);
      buffers.push(this.#take(page));
    }
    this.#dirtyPages = [];
    return { pages, buffers };
  }

  /** Moves one page to writeback if it is dirty. */
  takePage(page: number): Uint8Array | null {
    return this.isDirty(page) ? this.#take(page) : null;
  }

  /** Ends a page's writeback: the content it took is on the media. */
  land(page: number, buffer: Uint8Array, cause: MediaChangeCause): void {
    if (this.#cache[page] === buffer) this.#forget(page);
    this.#setMedia(page, buffer, cause);
  }

  /** Ends a page's writeback without changing the media; Linux marks the page clean regardless. */
  abandon(page: number, buffer: Uint8Array): void {
    if (this.#cache[page] !== buffer) {
      this.#pool.give(buffer);
      return;
    }
    this.#setFlag(page, IN_WRITEBACK, false);
    this.#mayHaveStale = true;
  }

  /** Ends a page's writeback that never took place, so that a later sync has to take the page again. */
  redirty(page: number, buffer: Uint8Array): void {
    if (this.#cache[page] !== buffer) {
      this.#pool.give(buffer);
      return;
    }
    this.#setFlag(page, IN_WRITEBACK, false);
    this.#setFlag(page, DIRTY, true);
    this.#dirtyPages.push(page);
  }

  /** Changes the media without the cache's knowledge. `content` is copied. */
  overwriteMedia(page: number, content: Uint8Array, cause: MediaChangeCause): void {
    this.#setMedia(page, this.#copyOf(content), cause);
  }

  /** Fills the cache from the media, so that damage to the media stays hidden until the page is evicted. */
  cachePage(page: number): void {
    if (this.#cache[page] !== undefined) return;
    this.#cache[page] = this.#copyOf(this.mediaPage(page));
    this.#mayHaveStale = true;
  }

  evict(page: number): void {
    assert(this.isStale(page), "Only a clean page is evicted.");
    this.#pool.give(this.#cache[page] as Uint8Array);
    this.#forget(page);
  }

  tellLost(page: number): void {
    this.#listener()?.(this.fileName, page, "lost_write");
  }

  /** Makes reads of the page fail until new content lands on it. */
  markUnreadable(page: number): void {
    if ((this.#flagsOf(page) & UNREADABLE) !== 0) return;
    this.#setFlag(page, UNREADABLE, true);
    this.#unreadableCount++;
  }

  hasUnreadable(offset: number, bytes: number, from: "cache" | "media"): boolean {
    if (this.#unreadableCount === 0) return false;
    for (let page = Math.floor(offset / PAGE_BYTES); page * PAGE_BYTES < offset + bytes; page++) {
      const isServed = from === "cache" && this.isCached(page);
      if (!isServed && (this.#flagsOf(page) & UNREADABLE) !== 0) return true;
    }
    return false;
  }

  /**
   * Last step of a power cut: drops the cache. The fate of dirty pages and of those in writeback has been decided
   * before.
   */
  dropCache(): void {
    for (let page = 0; page < this.#cache.length; page++) if (this.isStale(page)) this.evict(page);
    assert(this.#dirtyPages.length === 0, "Dirty pages are decided before the cache is dropped.");
    this.#mayHaveStale = false;
  }

  /** Truncates a file that turns out shorter than it was created. Its cache is empty. */
  shorten(sizeBytes: number): void {
    const pageCount = Math.ceil(sizeBytes / PAGE_BYTES);
    for (let page = pageCount; page < this.#media.length; page++) {
      if ((this.#flagsOf(page) & UNREADABLE) !== 0) this.#unreadableCount--;
      this.#release(page);
    }
    this.#media = this.#media.slice(0, pageCount);
    this.#cache = this.#cache.slice(0, pageCount);
    this.#flags = this.#flags.slice(0, pageCount);
    this.#sizeBytes = sizeBytes;
  }

  /** Returns all pages to the pool; the file must not be used afterwards. */
  release(): void {
    for (let page = 0; page < this.#media.length; page++) this.#release(page);
  }

  #release(page: number): void {
    const media = this.#media[page];
    const cached = this.#cache[page];
    if (media !== undefined) this.#pool.give(media);
    if (cached !== undefined) this.#pool.give(cached);
    this.#media[page] = undefined;
    this.#cache[page] = undefined;
  }

  /** Returns the page's cache buffer, marked dirty and shared with no other owner. */
  #writable(page: number, isOverwrittenWhole: boolean): Uint8Array {
    const flags = this.#flagsOf(page);
    let buffer = this.#cache[page];
    if (buffer === undefined || (flags & IN_WRITEBACK) !== 0) {
      buffer = isOverwrittenWhole ? this.#pool.take() : this.#copyOf(buffer ?? this.mediaPage(page));
      this.#cache[page] = buffer;
    }
    if ((flags & DIRTY) === 0) this.#dirtyPages.push(page);
    this.#flags[page] = (flags | DIRTY) & ~IN_WRITEBACK;
    return buffer;
  }

  #take(page: number): Uint8Array {
    this.#flags[page] = (this.#flagsOf(page) | IN_WRITEBACK) & ~DIRTY;
    return this.#cache[page] as Uint8Array;
  }

  #forget(page: number): void {
    this.#cache[page] = undefined;
    this.#flags[page] = this.#flagsOf(page) & ~(DIRTY | IN_WRITEBACK);
  }

  #setMedia(page: number, buffer: Uint8Array, cause: MediaChangeCause): void {
    const old = this.#media[page];
    if (old !== undefined) this.#pool.give(old);
    this.#media[page] = buffer;
    if ((this.#flagsOf(page) & UNREADABLE) !== 0) {
      this.#setFlag(page, UNREADABLE, false);
      this.#unreadableCount--;
    }
    this.#listener()?.(this.fileName, page, cause);
  }

  #copyOf(content: Uint8Array): Uint8Array {
    const copy = this.#pool.take();
    copy.set(content);
    return copy;
  }

  #flagsOf(page: number): number {
    return this.#flags[page] ?? 0;
  }

  #setFlag(page: number, flag: number, isOn: boolean): void {
    this.#flags[page] = isOn ? this.#flagsOf(page) | flag : this.#flagsOf(page) & ~flag;
  }
}
