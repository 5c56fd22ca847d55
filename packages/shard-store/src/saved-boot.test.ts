import { PageMemory } from "@stashlight/paged-memory";
import { expect, test } from "vitest";
import { type IndexFiles, resumeBoot } from "./saved-boot.ts";
import type { SavedBoot } from "./saved-store.ts";

test("a boot reads the log although the pages of the last shutdown cannot be removed", () => {
  const files: IndexFiles = {
    syncPages: (done) => done(null),
    prepareRoot: () => (done) => done(null, true),
    removeRoot: (done) => done(null),
    clearPages: () => {
      throw new Error("EIO");
    },
  };
  const reasons: (string | null)[] = [];
  const answers: boolean[] = [];
  const resume = resumeBoot({} as SavedBoot, new PageMemory(), files, (reason) => reasons.push(reason));
  resume.decide("the volume grows", (mayResume) => answers.push(mayResume));
  expect(reasons).toEqual(["the volume grows; its pages cannot be removed: EIO"]);
  expect(answers).toEqual([false]);
});
