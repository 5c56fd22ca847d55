import { bucketAnswerWithinMs, bucketQuestionOpenMs } from "@stashlight/contracts/bucket";
import { expect, test } from "vitest";
import { describeSilence } from "./bucket-questions.ts";

test("a question that no coordinator takes ends without a change", () => {
  const waiting = { state: "waiting" } as const;
  // A coordinator may have taken the question in the last moment, so the page waits a little longer.
  expect(describeSilence(waiting, "main", bucketQuestionOpenMs + 1)).toBeNull();
  const failure = describeSilence(waiting, "main", 2 * bucketQuestionOpenMs);
  expect([failure?.title, failure?.message]).toEqual([
    "No coordinator of main answers",
    expect.stringContaining("nothing was read or changed"),
  ]);
});

test("a question that a coordinator took but did not answer may have changed something", () => {
  const taken = { state: "taken", coordinator: "main.c-1" } as const;
  expect(describeSilence(taken, "main", bucketAnswerWithinMs - 1)).toBeNull();
  expect(describeSilence(taken, "main", bucketAnswerWithinMs)?.message).toMatch(
    /^main\.c-1 took the question .* may have been made/,
  );
});
