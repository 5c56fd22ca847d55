import { z } from "zod";

/** Limits on labels with conditions, and on values of one label; the same as for a query. */
const CONDITION_COUNT_MAX = 12;
const VALUE_COUNT_MAX = 200;
const word = z.string().max(200);

/** A panel as received and stored; `readPanel` compares it with the catalogue. */
export const storedPanelSchema = z.object({
  metric: word,
  where: z
    .record(word, z.array(word).min(1).max(VALUE_COUNT_MAX))
    .refine(
      (where) => Object.keys(where).length <= CONDITION_COUNT_MAX,
      "At most 12 labels have conditions.",
    ),
  splitBy: word.nullable(),
  statistic: word,
});
