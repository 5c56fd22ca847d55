/**
 * Deletes what a key no longer needs: versions in vaults that accepted it in earlier epochs, and the records that hide
 * them.
 *
 *   written or deleted --queued--> grace --> versions elsewhere are deleted --> so is the record of the deletion
 *
 * The grace is longer than any write that has read those versions can last. Only the versions that were seen are
 * deleted, so a vault that accepts the key again loses nothing. A walk through all keys finds what an ended process had
 * queued, and what was in an unreachable vault.
 */
import { parseOrder, type UploadHeader } from "@stashlight/write-path";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import type { BucketMarkers } from "./bucket-markers.ts";
import { askAll, isOfPresentSegment, newestOf } from "./copies.ts";
import { type ListedKey, mergedPages } from "./merged-list.ts";
import type { KeyName, Segment } from "./placement.ts";
import { conditionOn, isGone } from "./stored-etag.ts";
import type { WriteGate } from "./write-gate.ts";

export interface LeftoversOptions {
  readonly vaults: readonly VaultVerbs[];
  readonly turns: WriteGate;
  readonly markers: BucketMarkers;
  readonly graceMs: number;
  /** Pause between two walks. */
  readonly walkEveryMs: number;
  /** Wall clock, which orders versions. */
  readonly nowMs: () => number;
  readonly isBusy: () => boolean;
}

/** A name takes about 200 bytes of memory; the walk finds names that did not fit. */
const WAITING_COUNT_MAX = 50_000;
const TURN_COUNT_MAX = 100;
const PAGE_KEY_COUNT = 1000;

export class Leftovers {
  readonly #options: LeftoversOptions;
  /** Names with their due times, in order of due time. */
  readonly #waiting = new Map<string, { readonly name: KeyName; readonly dueMs: number }>();
  #walk: AsyncGenerator<void> | null = null;
  #nextWalkMs: number;
  #deletedCount = 0;
  #walkCount = 0;

  constructor(options: LeftoversOptions) {
    this.#options = options;
    this.#nextWalkMs = options.nowMs() + options.graceMs;
  }

  /** Number of versions and records deleted since this process began. */
  get deletedCount(): number {
    return this.#deletedCount;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Number of walks that have visited every key. */
  get walkCount(): number {
    return this.#walkCount;
  }

  add(name: KeyName): void {
    const id = `${name.bucket}/${name.key}`;
    this.#waiting.delete(id);
    if (this.#waiting.size >= WAITING_COUNT_MAX) return;
    const { nowMs, graceMs } = this.#options;
    this.#waiting.set(id, { name, dueMs: nowMs() + graceMs });
  }

  /** Deletes a limited number of due versions, and advances the walk. Rejects with a VaultError. */
  async turn(): Promise<void> {
    const { nowMs, isBusy } = this.#options;
    if (isBusy()) return;
    for (const [id, { name, dueMs }] of [...this.#waiting].slice(0, TURN_COUNT_MAX)) {
      if (dueMs > nowMs()) break;
      this.#waiting.delete(id);
      if (!(await this.#clear(name))) this.add(name);
    }
    await this.#stepOfWalk();
  }

  /** Resolves with false if the key must be checked again. */
  async #clear(name: KeyName): Promise<boolean> {
    const { vaults, turns, graceMs, nowMs } = this.#options;
    const { bucket, key } = name;
    const turn = await turns.begin(name);
    try {
      const { segments } = turn;
      const answers = await askAll(segments, (vault) => (vaults[vault] as VaultVerbs).head(bucket, key));
      const newest = newestOf(segments, answers, (found) => found);
      const home = segments[0]?.vault;
      // Only a version of the current epoch proves that those in other vaults are older.
      if (newest === null || !isOfPresentSegment(segments, newest.vault, newest.found)) return true;
      if (nowMs() - parseOrder(newest.found.order).timeMs < graceMs) return false;
      let areAllGone = true;
      for (const [vault, answer] of answers) {
        if (vault === home) continue;
        if (answer.type === "unavailable") areAllGone = false;
        else if (answer.found !== null) await this.#delete(vault, answer.found);
      }
      if (areAllGone && isGone(newest.found)) await this.#delete(newest.vault, newest.found);
      return areAllGone;
    } finally {
      turn.end();
    }
  }

  async #delete(vault: number, version: UploadHeader): Promise<void> {
    const { bucket, key } = version;
    try {
      await (this.#options.vaults[vault] as VaultVerbs).delete(bucket, key, conditionOn(version));
      this.#deletedCount += 1;
    } catch (error) {
      // Another coordinator was faster, or the key has been rewritten.
      if (!(error instanceof VaultError) || error.code === "unavailable") throw error;
    }
  }

  async #stepOfWalk(): Promise<void> {
    const { nowMs, walkEveryMs } = this.#options;
    if (this.#walk === null && nowMs() < this.#nextWalkMs) return;
    this.#walk ??= this.#walkThrough();
    try {
      const step = await this.#walk.next();
      if (!step.done) return;
      this.#walkCount += 1;
      this.#walk = null;
      this.#nextWalkMs = nowMs() + walkEveryMs;
    } catch (error) {
      this.#walk = null;
      this.#nextWalkMs = nowMs() + walkEveryMs;
      throw error;
    }
  }

  async *#walkThrough(): AsyncGenerator<void> {
    const { vaults, turns, markers, nowMs, graceMs } = this.#options;
    const isOld = ({ order }: UploadHeader): boolean => nowMs() - parseOrder(order).timeMs >= graceMs;
    for (const bucket of await markers.repair(isOld)) {
      const range = { prefix: "", after: "", keyCountMax: PAGE_KEY_COUNT };
      for await (const keys of mergedPages(vaults, bucket, range)) {
        for (const listed of keys) {
          const name = { bucket, key: listed.key };
          if (mayBeCleared(listed, () => turns.segments(name))) this.add(name);
        }
        yield;
      }
    }
  }
}

function mayBeCleared({ versions }: ListedKey, segments: () => readonly Segment[]): boolean {
  if (versions.size === 1 && ![...versions.values()].some(isGone)) return false;
  const present = segments();
  return [...versions].some(([vault, version]) => isOfPresentSegment(present, vault, version));
}
