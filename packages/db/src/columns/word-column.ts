/** Text columns whose values come from a closed list. */
import { StashlightError } from "@stashlight/contracts/errors";

export interface WordColumn<Word extends string> {
  /** `row` is the key of the row, named in the error for an unknown word. */
  read(stored: string, row: string): Word;
}

/** `place` is "table.column". */
export function wordColumn<Word extends string>(place: string, words: readonly Word[]): WordColumn<Word> {
  return {
    read: (stored, row) => {
      const known = words.find((word) => word === stored);
      if (known !== undefined) return known;
      throw new StashlightError(
        "internal",
        `${place} of row ${row} is "${stored}", which is none of ${words.join(", ")}.`,
      );
    },
  };
}
