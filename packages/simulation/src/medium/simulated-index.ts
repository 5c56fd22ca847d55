/**
 * The files of a pod's index: the pages, and the root that a clean shutdown or a checkpoint writes. They fail like the
 * log's files: a cut leaves any part of the unsynced data, a lying drive loses data that it reported as durable, pages
 * rot, and roots or pages of an earlier time come back.
 */
import assert from "node:assert/strict";
import { PAGE_BYTES, type PageFile } from "@stashlight/paged-memory";
import type { IndexFiles, SavedBoot } from "@stashlight/shard-store";
import type { Random } from "@stashlight/stats/forkable-random";
import type { EventQueue } from "../event-queue.ts";
import type { IndexFaults } from "./medium.ts";

interface SimulatedPage {
  current: Uint8Array;
  /** Content on the medium; null if there is none. */
  durable: Uint8Array | null;
  /** Content of this slot before the last write. */
  earlier: Uint8Array | null;
}

/** Old roots return with a high probability, because few pods have had one. */
const KINDS_OF_ROT = [
  "bit",
  "page",
  "root lost",
  "replaced root",
  "earlier page",
  "earlier root",
  "earlier root",
  "earlier root",
] as const;

export interface SimulatedIndexOptions {
  readonly queue: EventQueue;
  readonly random: Random;
  readonly syncUs: number;
  /** Called when the index breaks the order in which its files are written. */
  readonly onViolation: (sentence: string) => void;
}

export class SimulatedIndex implements IndexFiles, IndexFaults, PageFile {
  readonly #options: SimulatedIndexOptions;
  /** Pages by their slots. */
  readonly #pages = new Map<number, SimulatedPage>();
  #root: SavedBoot | null = null;
  /** Root on the medium, where it differs from the one that the process sees. */
  #durableRoot: SavedBoot | null = null;
  /** The last root that a boot removed. */
  #earlierRoot: SavedBoot | null = null;
  /** The last root that a checkpoint or a shutdown replaced. */
  #replacedRoot: SavedBoot | null = null;
  /** Rises when a process ends, whose pending calls are then never answered. */
  #process = 0;
  #pendingCount = 0;
  #readsUntilFailure = Number.POSITIVE_INFINITY;
  #isLying = false;
  /** Slots that this process has written since they were synced, with their content. */
  readonly #unsynced = new Map<number, Uint8Array>();

  constructor(options: SimulatedIndexOptions) {
    this.#options = options;
  }

  /** The root that the next boot finds; null if there is none, or it is damaged. */
  get root(): SavedBoot | null {
    return this.#root === null ? null : structuredClone(this.#root);
  }

  /** Begins a boot in which the given page read fails. */
  begin(failingRead: number | null): void {
    this.#readsUntilFailure = failingRead ?? Number.POSITIVE_INFINITY;
  }

  // Pages

  write(slot: number, bytes: Uint8Array): void {
    if (this.#root?.pages.slots.includes(slot))
      this.#options.onViolation("A page of an index changed while a root refers to it.");
    const known = this.#pages.get(slot);
    if (known === undefined)
      this.#pages.set(slot, { current: new Uint8Array(bytes), durable: null, earlier: null });
    else known.current = new Uint8Array(bytes);
    this.#unsynced.set(slot, (this.#pages.get(slot) as SimulatedPage).current);
    // The system writes some pages before they are synced.
    if (this.#options.random.chance(0.1)) this.#land(this.#pages.get(slot) as SimulatedPage);
  }

  read(slot: number, bytes: Uint8Array): void {
    if (--this.#readsUntilFailure === 0) throw new Error("the drive cannot read it");
    const known = this.#pages.get(slot);
    if (known === undefined) throw new Error("the file ends before it");
    bytes.set(known.current);
  }

  released(slot: number, bytes: Uint8Array): void {
    const written = this.#pages.get(slot)?.current;
    // An attempt to open the log that has failed leaves pages in memory.
    if (written !== undefined)
      assert(Buffer.compare(written, bytes) === 0, `the page in slot ${slot} was changed unannounced`);
    bytes.fill(0xa5);
  }

  #land(page: SimulatedPage): void {
    page.earlier = page.durable;
    page.durable = page.current.slice();
  }

  // Files

  syncPages(done: (error: Error | null) => void): void {
    const syncing = [...this.#unsynced];
    this.#later(() => {
      for (const [slot, bytes] of syncing) {
        // A page that changed meanwhile is synced next time.
        if (this.#unsynced.get(slot) !== bytes) continue;
        this.#unsynced.delete(slot);
        const page = this.#pages.get(slot);
        if (page !== undefined && !this.#isLying) this.#land(page);
      }
      done(null);
    });
  }

  prepareRoot(boot: SavedBoot): (done: (error: Error | null, isNamed: boolean) => void) => void {
    const root = structuredClone(boot);
    return (done) => {
      for (const slot of root.pages.slots)
        if (this.#unsynced.has(slot))
          this.#options.onViolation("The root of an index was written before its pages.");
      this.#later(() => {
        if (this.#root !== null) this.#replacedRoot = this.#root;
        this.#root = root;
        this.#later(() => {
          if (!this.#isLying) this.#durableRoot = root;
          done(null, true);
        });
      });
    };
  }

  removeRoot(done: (error: Error | null) => void): void {
    if (this.#root !== null) this.#earlierRoot = this.#root;
    this.#root = null;
    this.#later(() => {
      if (!this.#isLying) this.#durableRoot = null;
      done(null);
    });
  }

  clearPages(): void {
    this.#pages.clear();
    this.#unsynced.clear();
  }

  /** True while a call of this process has no answer. */
  get isPending(): boolean {
    return this.#pendingCount > 0;
  }

  #later(action: () => void): void {
    const process = this.#process;
    this.#pendingCount += 1;
    this.#options.queue.schedule(this.#options.syncUs, () => {
      if (process !== this.#process) return;
      this.#pendingCount -= 1;
      action();
    });
  }

  // Faults

  setLying(isLying: boolean): void {
    this.#isLying = isLying;
  }

  processEnded(): void {
    this.#process += 1;
    this.#unsynced.clear();
    this.#pendingCount = 0;
  }

  drop(): void {
    this.#root = null;
    this.#durableRoot = null;
  }

  powerCut(): void {
    this.processEnded();
    const { random } = this.#options;
    for (const [number, page] of this.#pages) {
      const fate = random.pick(["kept", "dropped", "torn"] as const);
      const left = fate === "kept" ? page.current : page.durable;
      if (left === null) this.#pages.delete(number);
      else page.current = fate === "torn" ? torn(page.current, left) : left.slice();
      page.durable = page.current;
    }
    if (random.chance(0.5)) this.#root = this.#durableRoot;
    this.#durableRoot = this.#root;
  }

  /** Flips a bit of a page, loses or damages the root, or brings back a root or a page of an earlier time. */
  rot(): void {
    const { random } = this.#options;
    const pages = [...this.#pages.values()];
    const kind = random.pick(KINDS_OF_ROT);
    if (kind === "root lost") this.#root = null;
    else if (kind === "replaced root") this.#root = this.#replacedRoot ?? this.#root;
    else if (kind === "earlier root") this.#root = this.#earlierRoot ?? this.#root;
    else if (pages.length > 0) {
      const page = random.pick(pages);
      if (kind === "bit") flipBit(page.current, random.below(8 * PAGE_BYTES));
      else if (kind === "page") page.current.fill(0);
      else page.current = page.earlier ?? page.current;
    }
    this.#durableRoot = this.#root;
  }
}

/** The first half of one content and the rest of the other. */
function torn(after: Uint8Array, before: Uint8Array): Uint8Array {
  const page = before.slice();
  page.set(after.subarray(0, PAGE_BYTES / 2));
  return page;
}

function flipBit(bytes: Uint8Array, bit: number): void {
  bytes[bit >>> 3] = (bytes[bit >>> 3] as number) ^ (1 << (bit & 7));
}
