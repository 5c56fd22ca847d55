import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { allNamed } from "./all-named.ts";

test("each result is keyed by its query, in whatever order the answers arrive", async () => {
  const answers = await allNamed({ slow: delay(5, "slow"), quick: Promise.resolve(1), here: true });
  expect(answers).toEqual({ slow: "slow", quick: 1, here: true });
});

test("one failed query fails all", async () => {
  const asked = { good: Promise.resolve(1), bad: Promise.reject(new Error("away")) };
  await expect(allNamed(asked)).rejects.toThrow("away");
});
