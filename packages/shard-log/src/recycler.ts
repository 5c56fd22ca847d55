/**
 * Gives segments without live records their next generation, one at a time, oldest first.
 *
 * A segment may be recycled when no record in it is live, the death of every record in it is durable, and no purge list
 * in it is needed to keep a record of another segment dead. The segment of the last durable frame waits for a frame in the
 * next one: without the last frame, the end of the log would look lost. If only the reserve is free, no frame may come, and
 * space counts more. The copy of the header at the end of the segment is written
 * and synced before the one at its start: at every moment one of the two is complete, and the higher one counts.
 */
import assert from "node:assert/strict";
import { RESERVE_SEGMENTS } from "./options.ts";
import type { Segment } from "./segment.ts";
import type { Volume } from "./volume.ts";

export class Recycler {
  readonly #volume: Volume;
  #isBusy = false;
  /** Called after each recycled segment. */
  onRecycled: () => void = () => {};

  constructor(volume: Volume) {
    this.#volume = volume;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  pump(): void {
    const volume = this.#volume;
    if (this.#isBusy || volume.refusesWork) return;
    const victim = this.#findVictim();
    if (victim === null) return;
    this.#isBusy = true;
    this.#recycle(victim);
  }

  #findVictim(): Segment | null {
    let oldest: Segment | null = null;
    const { segments, free, lastDurableGeneration } = this.#volume;
    const isShort = free.length <= RESERVE_SEGMENTS;
    for (const segment of segments) {
      if (segment.isQuarantined) continue;
      if (segment.state === "lost") return segment;
      if (segment.state !== "sealed" || segment.liveCount > 0 || segment.isCompacting) continue;
      if (segment.generation === lastDurableGeneration && !isShort) continue;
      if (owesOthers(this.#volume, segment)) continue;
      if (oldest === null || segment.generation < oldest.generation) oldest = segment;
    }
    return oldest;
  }

  #recycle(victim: Segment): void {
    const volume = this.#volume;
    assert.equal(victim.liveCount, 0, "A segment with live records is never recycled.");
    assert.equal(victim.keptBytes, 0, "A segment with records to keep is never recycled.");
    const generation = ++volume.marks.generation;
    volume.writeHeader(victim, "back", generation, 0, () =>
      volume.writeHeader(victim, "front", generation, 0, () => {
        volume.recycle(victim, generation);
        volume.free.push(victim);
        volume.counters.recyclesTotal++;
        volume.changeCount++;
        this.#isBusy = false;
        this.onRecycled();
        this.pump();
      }),
    );
  }
}

/** Returns true if a purge list in this segment keeps a record dead that another segment still holds. */
export function owesOthers(volume: Volume, segment: Segment): boolean {
  return purgesOwed(volume, segment) > 0;
}

/**
 * Counts the purges in this segment that are needed until other segments are recycled. Generations that have been
 * recycled never return, so they are forgotten.
 */
export function purgesOwed(volume: Pick<Volume, "isOnMedium">, segment: Segment): number {
  let count = 0;
  for (const [generation, purges] of segment.owes) {
    if (!volume.isOnMedium(generation)) segment.owes.delete(generation);
    else if (generation !== segment.generation) count += purges;
  }
  return count;
}
