import { RefusedFile } from "./refusal.ts";

/** Called for each item that is kept; throws when there are too many. */
export type TakeRow = (place?: { line?: number; field?: string }) => void;

export function createRowBudget(rowsMax: number): TakeRow {
  let taken = 0;
  return (place = {}) => {
    taken += 1;
    if (taken > rowsMax) {
      throw new RefusedFile(
        "too-many-rows",
        `The file has more than ${rowsMax} samples, bins or figures.`,
        place,
      );
    }
  };
}

/** Limited because the file determines the number of kinds, and a longer list would not be read. */
const KINDS_MAX = 50;

/** Sentences about omissions, each kind once with its count. */
export function createOmissions(): { add: (what: string) => void; notes: () => string[] } {
  const counts = new Map<string, number>();
  return {
    add: (what) => {
      const kind = counts.has(what) || counts.size < KINDS_MAX ? what : "other kinds";
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    notes: () => [...counts].map(([what, count]) => `${count} left out: ${what}.`),
  };
}
