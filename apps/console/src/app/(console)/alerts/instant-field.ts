/** A field for an instant in the browser's date picker, in the reader's zone. */
import { fromFieldValue } from "@stashlight/ui/time-ranges";

const problem = "Choose a day and a time.";

export function readInstant(typed: string) {
  const iso = fromFieldValue(typed, false);
  return iso === null ? { value: Number.NaN, problem } : { value: Date.parse(iso) };
}

/** An instant, or null for an empty field. */
export const readOptionalInstant = (typed: string) => (typed === "" ? { value: null } : readInstant(typed));
