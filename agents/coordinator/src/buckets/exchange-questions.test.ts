import {
  type BucketAnswer,
  type BucketQuestion,
  type BucketReport,
  bucketQuestionsAtOnceMax,
} from "@stashlight/contracts/bucket";
import type { BucketQuestionsAnswer } from "@stashlight/telemetry";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { QuestionExchange } from "./exchange-questions.ts";

const EVERY_MS = 2000;
const saved: BucketAnswer = { type: "saved" };
const question: BucketQuestion = { type: "view", bucket: "photos" };
const taken = (questionId: string) => ({ questionId, question });
const nothing: BucketQuestionsAnswer = { type: "questions", questions: [] };
const line = { at: "", action: "expire", bucket: "photos", ruleId: "r", count: 1, bytes: 1 } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(
  replies: (BucketQuestionsAnswer | undefined)[],
  answer: () => Promise<BucketAnswer> = async () => saved,
) {
  const reports: BucketReport[] = [];
  const failures: unknown[] = [];
  const takenOffsets: number[] = [];
  const exchange = new QuestionExchange({
    ask: async (report) => {
      reports.push(report);
      return replies.shift() ?? nothing;
    },
    answer,
    deletions: {
      read: async () => ({ deletions: [line], nextOffset: 7 }),
      taken: ({ nextOffset }) => void takenOffsets.push(nextOffset),
    },
    everyMs: EVERY_MS,
    onFailure: (error) => failures.push(error),
  });
  exchange.start();
  return { exchange, reports, failures, takenOffsets };
}

test("an answer is sent at once, and its slot is then free again", async () => {
  const { exchange, reports } = start([{ type: "questions", questions: [taken("q")] }]);
  await vi.advanceTimersByTimeAsync(0);
  expect(reports).toMatchObject([
    { room: bucketQuestionsAtOnceMax, answers: [] },
    { room: bucketQuestionsAtOnceMax - 1, answers: [{ questionId: "q", answer: saved }] },
  ]);
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(reports.at(-1)).toMatchObject({ room: bucketQuestionsAtOnceMax, answers: [] });
  exchange.stop();
  await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
  expect(reports).toHaveLength(3);
});

test("a slow question keeps its slot and delays no other", async () => {
  let finish = (_: BucketAnswer) => {};
  const long = new Promise<BucketAnswer>((resolve) => {
    finish = resolve;
  });
  const answers = [long, Promise.resolve(saved)];
  const replies = [{ type: "questions" as const, questions: [taken("long"), taken("short")] }];
  const { exchange, reports } = start(replies, () => answers.shift() ?? Promise.resolve(saved));
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(reports.flatMap((report) => report.answers.map(({ questionId }) => questionId))).toEqual(["short"]);
  expect(reports.at(-1)).toMatchObject({ room: bucketQuestionsAtOnceMax - 1 });
  finish(saved);
  await vi.advanceTimersByTimeAsync(0);
  expect(reports.at(-1)).toMatchObject({ answers: [{ questionId: "long" }] });
  exchange.stop();
});

test("answers and deletions are sent again after the ingest was unreachable", async () => {
  const away: BucketQuestionsAnswer = { type: "failed", reason: "away" };
  const { exchange, reports, takenOffsets } = start([
    { type: "questions", questions: [taken("q")] },
    away,
    away,
  ]);
  await vi.advanceTimersByTimeAsync(0);
  expect(takenOffsets).toEqual([7]);
  await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
  const answered = reports.filter(({ answers }) => answers.length > 0);
  expect([answered.length, takenOffsets]).toEqual([3, [7, 7]]);
  exchange.stop();
});

test.each([
  ["fails", () => Promise.reject(new Error("A bug."))],
  ["cannot be sent", async () => ({ type: "refused", reason: "" }) as const],
])("a question whose answer %s is refused with a pointer to the log", async (_, answer) => {
  const { exchange, reports, failures } = start([{ type: "questions", questions: [taken("q")] }], answer);
  await vi.advanceTimersByTimeAsync(0);
  expect(reports.at(-1)?.answers).toMatchObject([
    { answer: { type: "refused", reason: expect.stringMatching(/its log has the reason/) } },
  ]);
  expect(failures).toHaveLength(1);
  exchange.stop();
});
