import type { Mutant } from "./mutant.ts";

/**
 * A change that changes nothing: it must live, or the simulation finds what is not there. It is no mutant of the list,
 * and is hunted only by name.
 */
export const control: Mutant = {
  name: "comment-reworded",
  folder: "pod",
  find: "/** Purges for one device are collected this long. */",
  replace: "/** Purges for one device wait this long for others. */",
  breaks: "nothing",
};
