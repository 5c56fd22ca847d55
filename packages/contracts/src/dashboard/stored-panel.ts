import { z } from "zod";

/** Limits of labels with conditions, and of values of one: those of a query. */
const CONDITION_COUNT_MAX = 12;
const VALUE_COUNT_MAX = 200;
const word = z.string().max(200);

/** Words of a panel as received and stored; `readPanel` compares them with the catalogue. */
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
