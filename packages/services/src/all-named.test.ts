import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { allNamed } from "./all-named.ts";

test("each result has the name of its question, in any order of answers", async () => {
  const answers = await allNamed({ slow: delay(5, "slow"), quick: Promise.resolve(1), here: true });
  expect(answers).toEqual({ slow: "slow", quick: 1, here: true });
});

test("one failed question fails all", async () => {
  const asked = { good: Promise.resolve(1), bad: Promise.reject(new Error("away")) };
  await expect(allNamed(asked)).rejects.toThrow("away");
});
