/** Reads answers for pages. Every page loads this file. */
import superjson, { type SuperJSONResult } from "superjson";

/** Answer as JSON with the positions of its dates (`dates.ts`), or as superjson. */
export type Written = { readonly json: unknown; readonly dates: DatePlaces | null } | SuperJSONResult;

/** 1 for a date; otherwise the places of dates in each member of a list, or in the named members of an object. */
export type DatePlaces = 1 | readonly [DatePlaces] | { readonly [name: string]: DatePlaces };

/** Transformer for pages, which write questions and read answers. */
export const pageTransformer = {
  input: superjson,
  output: { serialize: superjson.serialize, deserialize: readAnswer },
};

function readAnswer(written: Written): unknown {
  if (!("dates" in written)) return superjson.deserialize(written);
  return written.dates === null ? written.json : reviveDates(written.json, written.dates);
}

/** Restores dates in their places, in the answer itself. */
function reviveDates(json: unknown, places: DatePlaces): unknown {
  if (places === 1) return typeof json === "string" ? new Date(json) : json;
  if (isList(places)) {
    if (!Array.isArray(json)) return json;
    for (const [i, member] of json.entries()) json[i] = reviveDates(member, places[0]);
    return json;
  }
  if (!isRecord(json)) return json;
  for (const name of Object.keys(places)) {
    const place = places[name];
    if (place !== undefined && Object.hasOwn(json, name)) json[name] = reviveDates(json[name], place);
  }
  return json;
}

export const isList = (places: DatePlaces): places is readonly [DatePlaces] => Array.isArray(places);
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
