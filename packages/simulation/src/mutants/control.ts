import type { Mutant } from "./mutant.ts";

/**
 * A change without effect, as a control: it must survive, or the simulation reports faults that do not exist. It is not
 * on the list of mutants, and runs only if named.
 */
export const control: Mutant = {
  name: "comment-reworded",
  folder: "pod",
  find: "/** Purges for one device are collected this long. */",
  replace: "/** Purges for one device wait this long for others. */",
  breaks: "nothing",
};
