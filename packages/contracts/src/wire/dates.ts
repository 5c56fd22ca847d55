/**
 * Dates in answers that are otherwise plain JSON. They are sent as JSON strings, with a sketch of their places beside
 * the answer. Members of a list have dates in the same places, so the sketch for a thousand nodes is as long as for
 * one:
 *
 *     { json: [{ name: "pods-1", lastSeenAt: "2026-11-27T16:00:00.000Z" }, ...], dates: [{ lastSeenAt: 1 }] }
 */

import { type DatePlaces, isList, isRecord } from "./page-transformer.ts";

/**
 * Returns the places of an answer's dates, null if it has none, and undefined if JSON and such a sketch cannot
 * represent all of it. A property that is undefined counts as absent.
 */
export function placesOfDates(answer: unknown): DatePlaces | null | undefined {
  try {
    const places = sketch(answer);
    return places === null || holdsAt(answer, places) ? places : undefined;
  } catch (error) {
    if (error instanceof NotSketched) return undefined;
    throw error;
  }
}

class NotSketched extends Error {}

function sketch(value: unknown): DatePlaces | null {
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number" && Number.isFinite(value)) return null;
  if (value instanceof Date && Number.isFinite(value.getTime())) return 1;
  if (Array.isArray(value)) {
    let places: DatePlaces | null = null;
    for (const member of value) {
      const place = sketch(member);
      if (place !== null) places = places === null ? place : joined(places, place);
    }
    return places === null ? null : [places];
  }
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) throw new NotSketched();
  let places: Record<string, DatePlaces> | null = null;
  for (const name in value) {
    const property = value[name];
    const place = property === undefined ? null : sketch(property);
    if (place === null) continue;
    if (name === "__proto__") throw new NotSketched();
    places ??= {};
    places[name] = place;
  }
  return places;
}

function joined(some: DatePlaces, others: DatePlaces): DatePlaces {
  if (some === 1 && others === 1) return 1;
  if (some === 1 || others === 1) throw new NotSketched();
  if (isList(some) && isList(others)) return [joined(some[0], others[0])];
  if (isList(some) || isList(others)) throw new NotSketched();
  const both: Record<string, DatePlaces> = { ...some };
  for (const [name, place] of Object.entries(others)) {
    const found = Object.hasOwn(both, name) ? both[name] : undefined;
    both[name] = found === undefined ? place : joined(found, place);
  }
  return both;
}

/** Returns false if a member of a list has text where another has a date, because the text would become a date too. */
function holdsAt(value: unknown, places: DatePlaces): boolean {
  if (places === 1) return typeof value !== "string";
  if (isList(places)) return !Array.isArray(value) || value.every((member) => holdsAt(member, places[0]));
  if (!isRecord(value)) return true;
  return Object.entries(places).every(([name, place]) => holdsAt(value[name], place));
}
