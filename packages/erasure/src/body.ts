/**
 * Layout of a body in its data shards: they are filled in order, byte b in shard floor(b / shardBytes), at b %
 * shardBytes. The rest is zero. The length of the body is not stored; joining requires it.
 */
import { counted, ErasureError } from "./error.ts";
import { checkScheme, type Scheme } from "./scheme.ts";

/** Bytes of each shard: bodyBytes / k, rounded up; 0 for an empty body. */
export function shardBytesFor(scheme: Scheme, bodyBytes: number): number {
  checkScheme(scheme);
  if (!Number.isSafeInteger(bodyBytes) || bodyBytes < 0) {
    throw new ErasureError("length_out_of_range", `A body has 0 or more bytes; ${bodyBytes} was given.`);
  }
  return Math.ceil(bodyBytes / scheme.dataShardCount);
}

/**
 * Splits a body into its k data shards. Full shards are views of the body; only the one in which it ends and those
 * after it are copies.
 */
export function splitBody(scheme: Scheme, body: Uint8Array): Uint8Array[] {
  const shardBytes = shardBytesFor(scheme, body.length);
  return Array.from({ length: scheme.dataShardCount }, (_, index) => {
    const part = body.subarray(index * shardBytes, (index + 1) * shardBytes);
    if (part.length === shardBytes) return part;
    const padded = new Uint8Array(shardBytes);
    padded.set(part);
    return padded;
  });
}

/** Joins the body from its data shards (parity shards may follow them), in newly allocated memory. */
export function joinBody(shards: readonly Uint8Array[], bodyBytes: number): Uint8Array {
  checkBodyRange(shards, 0, bodyBytes);
  const body = new Uint8Array(bodyBytes);
  eachPart(shards, 0, bodyBytes, (part, offset) => body.set(part, offset));
  return body;
}

/** Returns the body as views of its data shards, in order, without those it does not reach. */
export function partsOfBody(shards: readonly Uint8Array[], bodyBytes: number): Uint8Array[] {
  checkBodyRange(shards, 0, bodyBytes);
  const parts: Uint8Array[] = [];
  eachPart(shards, 0, bodyBytes, (part) => parts.push(part));
  return parts;
}

/** Calls back for each stretch of a shard that holds part of the range, with that part's offset in the range. */
function eachPart(
  shards: readonly Uint8Array[],
  from: number,
  length: number,
  visit: (part: Uint8Array, offset: number) => void,
): void {
  const shardBytes = shards[0]?.length ?? 0;
  for (let done = 0; done < length; ) {
    const at = from + done;
    const start = at % shardBytes;
    const shard = shards[Math.floor(at / shardBytes)] as Uint8Array;
    const part = shard.subarray(start, Math.min(shardBytes, start + length - done));
    visit(part, done);
    done += part.length;
  }
}

function shardCapacity(shards: readonly Uint8Array[]): number {
  return shards.length * (shards[0]?.length ?? 0);
}

function checkBodyRange(shards: readonly Uint8Array[], from: number, length: number): void {
  const shardBytes = shards[0]?.length ?? 0;
  const odd = shards.find((shard) => shard.length !== shardBytes);
  if (odd !== undefined) {
    throw new ErasureError(
      "unequal_shard_lengths",
      `All shards must be equally long; one has ${counted(shardBytes, "byte")} and one has ${odd.length}.`,
    );
  }
  const isInside = Number.isSafeInteger(from) && Number.isSafeInteger(length) && from >= 0 && length >= 0;
  if (isInside && from + length <= shardCapacity(shards)) return;
  throw new ErasureError(
    "length_out_of_range",
    `${counted(shards.length, "shard")} of ${counted(shardBytes, "byte")} hold bytes 0 to ${shardCapacity(shards)} of a body; ${from} to ${from + length} was given.`,
  );
}
