/**
 * How answers are written for pages. Nearly all are JSON with some dates, and often with tens of thousands of numbers,
 * which superjson would copy value by value; so superjson is asked only for answers that hold anything else.
 */
import superjson from "superjson";
import { placesOfDates } from "./dates.ts";
import { pageTransformer, type Written } from "./read.ts";

export const transformer = {
  ...pageTransformer,
  output: {
    ...pageTransformer.output,
    serialize: (answer: unknown): Written => {
      const dates = placesOfDates(answer);
      return dates === undefined ? superjson.serialize(answer) : { json: answer, dates };
    },
  },
};
