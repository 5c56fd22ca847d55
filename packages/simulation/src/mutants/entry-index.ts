import type { Mutant } from "./mutant.ts";

/** Mistakes in settling the entries of a pod, and in the packed form of settled ones. */
export const entryIndexMutants: readonly Mutant[] = [
  {
    name: "settled-while-unresolved",
    folder: "pod",
    find: 'const isDone = state === "durable" && outcome === "complete" && waiting === null;',
    replace: 'const isDone = state === "durable" && outcome !== null && waiting === null;',
    breaks: "an upload without an outcome is asked about, and does not count as complete",
  },
  {
    name: "settled-versions-hidden-by-open-ones",
    folder: "pod",
    find: "if (settled === undefined || settled.length === 0) return open;",
    replace: "if (settled === undefined || settled.length === 0 || open.length > 0) return open;",
    breaks: "a pod sees the open and the settled versions of an object",
  },
  {
    name: "settled-keys-not-listed",
    folder: "pod",
    find: "return this.settled === null ? open : new MergedKeys",
    replace: "return this.settled === null || this.open.size > 0 ? open : new MergedKeys",
    breaks: "a list includes settled objects",
  },
  {
    name: "settled-entries-not-compared",
    folder: "pod",
    find: "for (const arrival of this.settled?.arrivals(after, end, buckets) ?? []) {",
    replace: "for (const arrival of [] as number[]) {",
    breaks: "a peer learns of settled uploads",
  },
  {
    name: "settled-entry-not-woken",
    folder: "pod",
    find: "const open = this.open.get(uploadId) ?? this.takeOut(uploadId);",
    replace: "const open = this.open.get(uploadId);",
    breaks: "a settled entry can change",
  },
  {
    name: "rows-of-split-block-not-found",
    folder: "pod/settled",
    find: "this.#insertChild(this.#height - 1, this.#boundary, right.page);",
    replace: "void right;",
    breaks: "a row is found by its name after its block was split",
  },
  {
    name: "suffix-lost-with-row-before-it",
    folder: "pod/settled",
    find: "const lost = Math.max(0, nextShared - shared);",
    replace: "const lost = 0;",
    breaks: "a row keeps its name when the row before it goes",
  },
  {
    name: "later-blocks-not-listed",
    folder: "pod/settled",
    find: "if (!this.#hasNext) {",
    replace: "if (this.#page !== null) {",
    breaks: "a list continues in the next block",
  },
];
