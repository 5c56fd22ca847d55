/**
 * Names that every object inherits, such as `__proto__` and `constructor`. No input has a field with such a name.
 * Parsers drop some of them silently, so that a filter by one would be ignored; every entry point for JSON refuses them
 * instead.
 */
import { StashlightError } from "../errors.ts";

const isReservedName = (name: string): boolean => name in Object.prototype;

/** Returns the first reserved name of a field anywhere in a value of JSON; input may be nested too deeply to recurse. */
export function findReservedName(value: unknown): string | undefined {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) {
      for (const member of next) waiting.push(member);
      continue;
    }
    for (const name of Object.keys(next)) {
      if (isReservedName(name)) return name;
      waiting.push((next as Record<string, unknown>)[name]);
    }
  }
  return undefined;
}

export const reservedNameSentence = (name: string): string => `There is no field ${name}; remove it.`;

/** Throws `invalid_input`, which names the field. */
export function refuseReservedNames(value: unknown): void {
  const field = findReservedName(value);
  if (field === undefined) return;
  throw new StashlightError("invalid_input", reservedNameSentence(field), { field });
}
