import { type Mutant, mutantsIn } from "./mutant.ts";

/** Mistakes in the index whose pages are mostly on the drive. */
export const pageMutants: readonly Mutant[] = [
  ...mutantsIn("paged-memory", [
    {
      name: "changed-page-not-written",
      find: "if (!held.isRecent && held.isChanged && isWritable) {",
      replace:
        "if (!held.isRecent && held.page % 4 === 3) held.isChanged = false;\n      if (!held.isRecent && held.isChanged && isWritable) {",
      breaks: "a page that leaves memory is in the file as it was changed last",
    },
    {
      name: "change-not-noted",
      find: "held.isChanged = true;\n    return held;",
      replace: "return held;",
      breaks: "a page that was loaded and changed is written again",
    },
    {
      name: "allocated-page-not-empty",
      find: "held.words.fill(0);",
      replace: "void held.words;",
      breaks: "an allocated page has nothing of the page whose memory it got",
    },
    {
      name: "page-leaves-during-an-operation",
      find: "const held = this.#hold(page);\n    try {",
      replace: "this.relax();\n    const held = this.#hold(page);\n    try {",
      breaks: "a page stays in memory until the operation that looks at it has ended",
    },
    {
      name: "freed-page-stays-held",
      find: "if (held !== null) this.#letGo(held);",
      replace: "void held;",
      breaks: "a page that is allocated again is in memory once",
    },
    {
      name: "moved-page-not-found",
      find: "last.index = held.index;",
      replace: "void last;",
      breaks: "the right page leaves after another one has left",
    },
    {
      name: "slot-overwritten",
      find: "words.copyWithin(at + SLOT_WORDS, at, SLOT_WORDS * count);",
      replace: "void words;",
      breaks: "a number is found after one with a lower key was added",
    },
    {
      name: "last-slot-lost",
      find: "this.#counts[bucket] = count - 1;",
      replace: "this.#counts[bucket] = Math.max(1, count - 2);",
      breaks: "a number is found after one with a lower key was removed",
    },
  ]),
  ...mutantsIn("pod/settled", [
    {
      name: "page-of-pointers-given-back-early",
      find: "if (count === 0) {",
      replace: "if (count <= 1) {",
      breaks: "a page of pointers is kept while it leads to a settled entry",
    },
    {
      name: "name-before-pointer-forgotten",
      find: "const isWhole = start === 0 || this.#partCount === PARTS_MAX;",
      replace: "const isWhole = this.#partCount === PARTS_MAX;",
      breaks: "the first pointer of a page has its whole name",
    },
  ]),
  ...mutantsIn("shard-log", [
    {
      name: "page-of-rows-given-back-early",
      medium: "log",
      find: "if (usedCount > 0) return;",
      replace: "if (usedCount > 1) return;",
      breaks: "a page of rows is kept while a record of the log has a row in it",
    },
  ]),
];
