/** Copies a node's state before a step. */
import { isShard, isUploadHeader } from "./shapes.ts";

const NEVER_CHANGED = new Set(["config", "quorums", "request", "message"]);

/** Shares objects that never change; an object held in two places is also one object in the copy. */
export function deepCopy<Value extends object>(value: Value): Value {
  return copy(value, new Map()) as Value;
}

function copy(value: unknown, copies: Map<object, object>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = copies.get(value);
  if (known) return known;
  if (value instanceof Map) {
    const to = new Map<unknown, unknown>();
    copies.set(value, to);
    for (const [key, item] of value) to.set(key, copy(item, copies));
    return to;
  }
  if (value instanceof Set) {
    const to = new Set<unknown>();
    copies.set(value, to);
    for (const item of value) to.add(copy(item, copies));
    return to;
  }
  if (Array.isArray(value)) {
    const to: unknown[] = [];
    copies.set(value, to);
    for (const item of value) to.push(copy(item, copies));
    return to;
  }
  if (isShard(value) || isUploadHeader(value) || value instanceof Uint8Array) return value;
  if (value instanceof Float64Array) return value.slice();
  const prototype = Object.getPrototypeOf(value);
  const to: Record<string, unknown> = prototype === Object.prototype ? {} : Object.create(prototype);
  copies.set(value, to);
  // Faster than Object.entries; called some ten million times.
  for (const name in value) {
    const item = (value as Record<string, unknown>)[name];
    to[name] =
      typeof item !== "object" || item === null || NEVER_CHANGED.has(name) ? item : copy(item, copies);
  }
  return to;
}
