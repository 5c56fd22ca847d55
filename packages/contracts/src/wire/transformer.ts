/**
 * Writes answers for pages. Nearly all are JSON with some dates, often with tens of thousands of numbers, which
 * superjson would copy one by one; so superjson is used only for answers with other types.
 */
import superjson, { type SuperJSONResult } from "superjson";
import { refuseReservedNames } from "../json/reserved-names.ts";
import { placesOfDates } from "./dates.ts";
import { pageTransformer, type Written } from "./page-transformer.ts";

export const transformer = {
  ...pageTransformer,
  input: {
    ...pageTransformer.input,
    /** Throws `invalid_input` for a field with a reserved name, which superjson would leave out. */
    deserialize: (written: SuperJSONResult): unknown => {
      refuseReservedNames(written);
      return superjson.deserialize(written);
    },
  },
  output: {
    ...pageTransformer.output,
    serialize: (answer: unknown): Written => {
      const dates = placesOfDates(answer);
      return dates === undefined ? superjson.serialize(answer) : { json: answer, dates };
    },
  },
};
