/**
 * One text for all states that behave alike, so that a revisited state is recognised.
 *
 * - Maps and Sets of plain keys are written in key order: the order of insertion decides only the order in which
 *   effects are carried out, and the search takes everything in flight in every order anyway.
 * - An object met twice is written once and then referred to, so that two entries with equal contents are not mistaken
 *   for one entry held twice.
 * - Moments are written as their distance from the node's clock, because machines only compare them with it. (The clock
 *   of version orders is a different one.)
 * - Counters of refusals and configuration are left out: no machine reads the former, and the latter never changes.
 *   Also left out are the orders of keys and arrivals and the digests of upload ids, which follow from maps that are
 *   written; the moment when a pod was last heard from, which only readers use to choose whom to ask first; and the
 *   moments at which a shard was born or offered or its node booted, which only timers read that the search does not
 *   fire.
 */
import { EntryIndex } from "@stashlight/write-path";
import { isShard, isUploadHeader } from "./shapes.ts";

const LEFT_OUT = new Set([
  "refusals",
  "config",
  "quorums",
  "scheme",
  "request",
  "revision",
  "bornMs",
  "offeredMs",
  "bootMs",
  "nowMs",
  "keysInOrder",
  "byArrival",
  "bucketDigests",
  "heardMs",
]);
const MOMENTS = new Set(["startedMs", "deadlineMs", "nextTrialMs"]);

/** Returns the text of a value whose moments are relative to `nowMs`, or of a value without moments. */
export function canonicalText(value: object, nowMs = 0): string {
  return write(value, { seen: new Map(), nowMs });
}

interface Writing {
  readonly seen: Map<object, number>;
  readonly nowMs: number;
}

function write(value: unknown, writing: Writing): string {
  if (typeof value !== "object" || value === null) return `${typeof value === "string" ? "'" : ""}${value}`;
  const immutable = textOfImmutable(value, writing);
  if (immutable !== null) return immutable;
  const known = writing.seen.get(value);
  if (known !== undefined) return `#${known}`;
  writing.seen.set(value, writing.seen.size);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, writing)).join(",")}]`;
  if (value instanceof Map) return `{${sortedByKey(value).map(([key, item]) => pair(key, item, writing))}}`;
  if (value instanceof Set) return `<${[...value].map((item) => write(item, writing)).sort()}>`;
  if (Object.getPrototypeOf(value) !== Object.prototype && !(value instanceof EntryIndex)) {
    throw new TypeError(`The search cannot write a ${value.constructor.name} as text; teach canonicalText.`);
  }
  let fields = "";
  for (const name in value) {
    if (LEFT_OUT.has(name)) continue;
    fields += `,${pair(name, (value as Record<string, unknown>)[name], writing)}`;
  }
  return `(${fields.slice(1)})`;
}

const textsOfImmutables = new WeakMap<object, string>();

/** Caches the texts of uploads, shards and bytes, which never change and occur in almost every state. */
function textOfImmutable(value: object, writing: Writing): string | null {
  const isBytes = value instanceof Uint8Array;
  if (!isBytes && !isShard(value) && !isUploadHeader(value)) return null;
  const known = textsOfImmutables.get(value);
  if (known !== undefined) return known;
  let text: string;
  if (isBytes) text = `bytes ${value.join("-")}`;
  else if (isShard(value))
    text = `${write(value.upload, writing)}.${value.shardIndex}=${value.payload.join("-")}`;
  else text = `${value.uploadId}@${value.order}`;
  textsOfImmutables.set(value, text);
  return text;
}

function pair(key: unknown, item: unknown, writing: Writing): string {
  const isMoment = typeof key === "string" && typeof item === "number" && MOMENTS.has(key);
  return `${String(key)}:${isMoment ? distance(key, item, writing.nowMs) : write(item, writing)}`;
}

/** Once a device's trial is due, how long it has been due makes no difference. */
function distance(name: string, moment: number, nowMs: number): number {
  return name === "nextTrialMs" ? Math.max(0, moment - nowMs) : moment - nowMs;
}

function sortedByKey(map: Map<unknown, unknown>): [unknown, unknown][] {
  return [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
