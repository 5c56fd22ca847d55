/** Objects that a run has uploaded but not yet deleted, so that they can be read, checked and deleted. */

import type { Uniform } from "@stashlight/stats/random";
import type { Driver } from "../endpoint/driver.ts";
import type { Exchange } from "../wire/connection.ts";

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly md5Hex: string;
}

/** Result of HEADs of some random keys. */
export interface StoredCheck {
  readonly checkedCount: number;
  /** Sentences about problems; empty if all objects were stored as sent. */
  readonly failures: readonly string[];
}

export class StoredObjects {
  readonly #bySize = new Map<number, StoredObject[]>();
  readonly #byKey = new Map<string, StoredObject>();

  get all(): StoredObject[] {
    return [...this.#byKey.values()];
  }

  keep(object: StoredObject): void {
    this.#byKey.set(object.key, object);
    const ofSize = this.#bySize.get(object.sizeBytes);
    if (ofSize === undefined) this.#bySize.set(object.sizeBytes, [object]);
    else ofSize.push(object);
  }

  /** Returns any object of this size; undefined if there is none. */
  pick(sizeBytes: number, random: Uniform): StoredObject | undefined {
    const ofSize = this.#bySize.get(sizeBytes) ?? [];
    return ofSize[Math.floor(random() * ofSize.length)];
  }

  find(key: string): StoredObject | null {
    return this.#byKey.get(key) ?? null;
  }

  forget(object: StoredObject): void {
    this.#byKey.delete(object.key);
    const ofSize = this.#bySize.get(object.sizeBytes) ?? [];
    const place = ofSize.indexOf(object);
    if (place !== -1) ofSize.splice(place, 1);
  }
}

/** Returns the problem that the answer to an upload's HEAD shows; null if there is none. */
export function describeTrouble(driver: Driver, exchange: Exchange, object: StoredObject): string | null {
  const failure = driver.failureOf(exchange);
  if (failure !== null) return failure.code;
  const { sizeBytes, md5Hex } = driver.contentOf(exchange);
  if (sizeBytes !== object.sizeBytes) return "a different size from the upload";
  return md5Hex !== null && md5Hex !== object.md5Hex ? "a different hash from the upload" : null;
}

/** Returns the problem that the answer to a HEAD of a deleted key shows; null if the object is gone. */
export function describeLeftover(driver: Driver, exchange: Exchange): string | null {
  const failure = driver.failureOf(exchange);
  return failure?.status === 404 ? null : `still there after its deletion (${failure?.code ?? "answered"})`;
}

/** Requests each object, and collects a sentence for each problem. */
export async function checkEach<Checked extends { readonly key: string }>(
  objects: readonly Checked[],
  head: (key: string) => Promise<Exchange>,
  troubleIn: (exchange: Exchange, object: Checked) => string | null,
): Promise<StoredCheck> {
  const failures: string[] = [];
  for (const object of objects) {
    const trouble = troubleIn(await head(object.key), object);
    if (trouble !== null) failures.push(`${object.key}: ${trouble}`);
  }
  return { checkedCount: objects.length, failures };
}
