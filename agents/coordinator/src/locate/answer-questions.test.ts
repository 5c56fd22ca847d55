import type { ObjectAnswer, ObjectQuestion } from "@stashlight/contracts/object-location";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { QuestionAnswerer } from "./answer-questions.ts";

const EVERY_MS = 2000;
const question: ObjectQuestion = { questionId: "q", bucket: "photos", key: "cat" };
const answer: ObjectAnswer = { questionId: "q", location: { type: "absent" } };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(open: () => readonly ObjectQuestion[] | null) {
  const brought: (readonly ObjectAnswer[])[] = [];
  const answerer = new QuestionAnswerer({
    ask: async (answers) => {
      brought.push(answers);
      const questions = open();
      return questions === null ? { type: "failed", reason: "away" } : { type: "questions", questions };
    },
    locate: async () => ({ type: "absent" }),
    everyMs: EVERY_MS,
  });
  answerer.start();
  return { brought, answerer };
}

test("an answer is sent at once, and the next question waits for a pause", async () => {
  const rounds = [[], [question]];
  const { brought, answerer } = start(() => rounds.shift() ?? []);
  await vi.advanceTimersByTimeAsync(EVERY_MS - 1);
  expect(brought).toEqual([[]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(brought).toEqual([[], [], [answer]]);
  answerer.stop();
  await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
  expect(brought).toHaveLength(3);
});

test("an unreachable ingest is asked again after a pause", async () => {
  const { brought, answerer } = start(() => null);
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect(brought).toHaveLength(4);
  answerer.stop();
});
