import { type Mutant, mutantsIn } from "./mutant.ts";

/** Mistakes in saving an index for the next boot, and in continuing with it; only the real log saves one. */
export const savedIndexMutants: readonly Mutant[] = [
  ...mutantsIn("shard-store", [
    {
      name: "root-not-removed",
      find: "files.removeRoot((error) => {",
      replace: "((removed) => removed(null))((error) => {",
      breaks: "no root refers to pages that change",
    },
    {
      name: "root-before-its-pages",
      find: "files.syncPages((unsynced) => {",
      replace: "((synced) => synced(null))((unsynced) => {",
      breaks: "the pages of a root are durable before it",
    },
  ]),
  ...mutantsIn("shard-log", [
    {
      name: "end-of-log-not-checked",
      find: "const difference = compareVolume(volume, saved) ?? compareHeaders(volume, headers, resume);",
      replace: "const difference = null;\n  if (saved !== null) {\n    done(null);\n    return;\n  }",
      breaks: "a start continues only with the index of the log as it is",
    },
    {
      name: "tail-not-read",
      find: "else if (saved.isEnd) this.#resume(",
      replace: "else if (saved !== null) this.#resume(",
      breaks: "a start after a kill finds what was written after the checkpoint",
    },
    {
      name: "written-behind-a-checkpoint",
      find: "if (checkpointOffset > 0) this.#resume = null;",
      replace: "",
      breaks: "nothing is written after the checkpoint that ends a segment",
    },
    {
      name: "stop-not-answered",
      find: "else if (this.#writer.isIdle) this.#end(null);",
      replace: "else if (this.#writer.isIdle) return;",
      breaks: "a stop is answered once its log has come to rest",
    },
  ]),
  ...mutantsIn("pod", [
    {
      name: "displaced-entries-kept",
      find: "if (entry !== undefined) effects.push(...removeEntry(state, entry));",
      replace: "if (entry === undefined) effects.pop();",
      breaks: "an entry of the pod has a record in its log",
    },
    {
      name: "open-entries-not-saved",
      find: "if (position === null) continue;\n    open.push(",
      replace: "if (position === null || outcome === null) continue;\n    open.push(",
      breaks: "each shard of the log has an entry after a start",
    },
  ]),
  ...mutantsIn("paged-memory", [
    {
      name: "saved-pages-overwritten",
      find: "if (slot !== NO_SLOT && this.#savedSlots[slot] === 0) return slot;",
      replace: "if (slot !== NO_SLOT) return slot;",
      breaks: "the pages of a checkpoint stay as they were",
    },
    {
      name: "page-of-an-earlier-time-believed",
      find: "if (this.#checksum(held.bytes) !== this.#checksums[page])",
      replace: "if (page < 0)",
      breaks: "a page that is read is the one that was written last",
    },
  ]),
].map((mutant) => ({ ...mutant, medium: "log" }));
