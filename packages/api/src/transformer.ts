/**
 * How answers are written for pages: as superjson writes them, which keeps dates and the like. Most that are large are
 * plain JSON already, with tens of thousands of numbers, and superjson copies a value by value what `JSON.stringify`
 * takes as it is; so it is asked only for answers that need it.
 */
import superjson, { type SuperJSONResult } from "superjson";

export const transformer = {
  input: superjson,
  output: {
    serialize: (answer: unknown): SuperJSONResult =>
      isPlain(answer) ? { json: answer } : superjson.serialize(answer),
    deserialize: (written: SuperJSONResult): unknown => superjson.deserialize(written),
  },
};

type Plain = SuperJSONResult["json"];

/** Whether JSON holds all of this; a property that is undefined is as good as absent. */
function isPlain(value: unknown): value is Plain {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key in value) {
    const property: unknown = value[key as keyof typeof value];
    if (property !== undefined && !isPlain(property)) return false;
  }
  return true;
}
