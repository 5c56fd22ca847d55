/**
 * A Bloom filter of names that may hold a large object, so that writes to other names need not look for replaced
 * pieces. If a name is missing, as after a restart, its pieces are collected later, when the sweep finds them.
 *
 * A Bloom filter cannot remove names, so each pass of the sweep builds a new one to replace it.
 */
import { hash } from "node:crypto";
import type { ObjectName } from "@stashlight/s3";

/** With a million names, a filter of 1 MiB causes a useless look-up for about one in fifty other names. */
const FILTER_BYTES = 1_048_576;
const PROBE_COUNT = 4;

export class LargeNames {
  #current = new Uint8Array(FILTER_BYTES);
  #next = new Uint8Array(FILTER_BYTES);

  add(name: ObjectName): void {
    for (const bit of bitsOf(name)) {
      for (const filter of [this.#current, this.#next]) {
        filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
      }
    }
  }

  mayHave(name: ObjectName): boolean {
    return bitsOf(name).every((bit) => ((this.#current[bit >>> 3] as number) & (1 << (bit & 7))) !== 0);
  }

  /** Drops names that were not added since the previous call. */
  startOver(): void {
    [this.#current, this.#next] = [this.#next, this.#current.fill(0)];
  }
}

function bitsOf({ bucket, key }: ObjectName): number[] {
  const digest = hash("sha256", `${bucket}/${key}`, "buffer");
  return Array.from({ length: PROBE_COUNT }, (_, at) => digest.readUInt32LE(at * 4) % (FILTER_BYTES * 8));
}
