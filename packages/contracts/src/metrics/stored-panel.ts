import { z } from "zod";

/** The most labels with conditions, and values of one of them: what a query takes. */
const CONDITION_COUNT_MAX = 12;
const VALUE_COUNT_MAX = 200;
const word = z.string().max(200);

/** The words of a panel as they arrive and are kept; `readPanel` compares them with the catalogue. */
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
