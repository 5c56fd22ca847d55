import { expect, test } from "vitest";
import { failureSentence } from "./failure.ts";

const failed = (code: string) => Object.assign(new Error(`${code}: something failed`), { code });

test.each([
  ["EINVAL", /^The file system has no direct I\/O \(O_DIRECT\)/],
  ["ENOSPC", /ran out of space/],
  ["EROFS", /became read-only/],
  ["EIO", /answered with an I\/O error \(EIO\).*kernel's log/],
  ["ENODEV", /^The drive could not be measured: ENODEV: something failed\.$/],
])("the error %s is described in a sentence", (code, sentence) => {
  expect(failureSentence(failed(code))).toMatch(sentence);
});
