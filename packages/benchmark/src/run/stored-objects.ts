/** What a run has uploaded and not deleted, so that it can be read, checked and deleted. */

import type { Uniform } from "@stashlight/stats/random";
import { type EndpointFailure, failureOf } from "../endpoint/failure.ts";
import type { Exchange } from "../wire/connection.ts";
import { compareEtag } from "./etag.ts";

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly md5Hex: string;
}

/** What HEADs of some random keys showed. */
export interface StoredCheck {
  readonly checkedCount: number;
  /** Sentences; none if all were there as they were sent. */
  readonly failures: readonly string[];
}

export class StoredObjects {
  readonly #bySize = new Map<number, StoredObject[]>();

  get all(): StoredObject[] {
    return [...this.#bySize.values()].flat();
  }

  keep(object: StoredObject): void {
    const ofSize = this.#bySize.get(object.sizeBytes);
    if (ofSize === undefined) this.#bySize.set(object.sizeBytes, [object]);
    else ofSize.push(object);
  }

  /** Any one of this size; undefined if there is none. */
  pick(sizeBytes: number, random: Uniform): StoredObject | undefined {
    const ofSize = this.#bySize.get(sizeBytes) ?? [];
    return ofSize[Math.floor(random() * ofSize.length)];
  }

  forget(object: StoredObject): void {
    const ofSize = this.#bySize.get(object.sizeBytes) ?? [];
    const place = ofSize.indexOf(object);
    if (place !== -1) ofSize.splice(place, 1);
  }
}

/** What is wrong with an upload by the answer to its HEAD; null if nothing is. */
export function troubleOf(exchange: Exchange, object: StoredObject, nowMs: number): string | null {
  const failure: EndpointFailure | null = failureOf(exchange, nowMs);
  if (failure !== null) return failure.code;
  if (exchange.result.kind !== "answered") return "no answer";
  const { headers } = exchange.result;
  if (Number(headers.get("content-length")) !== object.sizeBytes) return "another size than was sent";
  return compareEtag(headers, object) === "other" ? "another ETag than what was sent has" : null;
}
