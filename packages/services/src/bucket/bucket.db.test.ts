import {
  type BucketAnswer,
  type BucketQuestion,
  bucketQuestionOpenMs,
  bucketQuestionsOpenMax,
  type LifecycleDeletion,
  type LifecycleRule,
} from "@stashlight/contracts/bucket";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { beforeEach, expect, test } from "vitest";
import { runHousekeeping } from "../housekeeping/run.ts";
import { newId } from "../ids.ts";
import { auditEvents, createTestNode, type Person, useFreshInstallation } from "../testing/index.ts";
import { askBuckets, previewRules } from "./ask.ts";
import { exchangeBucketQuestions } from "./exchange.ts";
import { listDeletions } from "./list-deletions.ts";
import { readBucketAnswer } from "./read-answer.ts";
import { saveRules } from "./save-rules.ts";

const { installation, viewer } = useFreshInstallation("viewer");
let operator: Person;

beforeEach(async () => {
  operator = await installation.person("operator", "Olga");
  const { id } = await createTestNode(installation.platform, "coordinator-1");
  await installation.platform.db.node.update({
    where: { id },
    data: { role: "coordinator", status: "active" },
  });
});

const makeCoordinator = (vault: string): AuthenticatedNode => ({
  nodeId: newId(),
  name: `${vault}.coordinator-1`,
  vault,
  role: "coordinator",
  status: "active",
  isSimulated: false,
});
const exchange = (
  node: AuthenticatedNode,
  { room = 4, answers = [], deletions = [] }: Partial<Parameters<typeof exchangeBucketQuestions>[2]> = {},
) => exchangeBucketQuestions(installation.platform, node, { room, answers, deletions });
const question: BucketQuestion = { type: "view", bucket: "photos" };
const ask = (person: Person = viewer) => askBuckets({ ctx: person.ctx, input: { vault: "v", question } });
const read = (questionId: string, person: Person = viewer) =>
  readBucketAnswer({ ctx: person.ctx, input: { questionId } });
const rule: LifecycleRule = {
  id: "logs",
  isEnabled: true,
  form: "filter",
  abortAfterDays: null,
  filter: { prefix: "logs/", tags: [], sizeBytesAbove: null, sizeBytesBelow: null },
  expiration: { kind: "days", days: 30 },
};
const refused: BucketAnswer = { type: "refused", reason: "There is no bucket photos." };

test("one coordinator of the vault claims a question, and its answer reaches the user who asked", async () => {
  const { questionId } = await ask();
  expect(await read(questionId)).toEqual({ state: "waiting" });
  expect(await exchange(makeCoordinator("elsewhere"))).toEqual([]);
  expect(await exchange(makeCoordinator("v"), { room: 0 })).toEqual([]);
  const [first, second] = [makeCoordinator("v"), makeCoordinator("v")];
  const taken = await Promise.all([exchange(first), exchange(second)]);
  expect(taken.flat()).toEqual([{ questionId, question }]);
  const [taker, other] = taken[0]?.length === 1 ? [first, second] : [second, first];
  expect(await read(questionId)).toEqual({ state: "taken", coordinator: taker.name });
  await exchange(other, { answers: [{ questionId, answer: { type: "saved" } }] });
  expect(await read(questionId)).toMatchObject({ state: "taken" });
  await exchange(taker, { answers: [{ questionId, answer: refused }] });
  await exchange(taker, { answers: [{ questionId, answer: { type: "saved" } }] });
  expect(await read(questionId)).toEqual({ state: "answered", answer: refused });
  await expect(read(questionId, operator)).rejects.toMatchObject({ code: "not_found" });
});

test("a question that was not claimed in time is never claimed", async () => {
  await ask();
  installation.clock.advance(bucketQuestionOpenMs);
  expect(await exchange(makeCoordinator("v"))).toEqual([]);
});

test("a change is given to a coordinator with the operator's name, and is in the audit log", async () => {
  const input = { vault: "v", bucket: "photos", rules: [rule], revision: "none" };
  const { questionId } = await saveRules({ ctx: operator.ctx, input });
  expect(await exchange(makeCoordinator("v"))).toEqual([
    {
      questionId,
      question: { type: "save", bucket: "photos", rules: [rule], revision: "none", operator: "Olga" },
    },
  ]);
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "bucket.lifecycle_save_requested",
    targetName: "v/photos",
    after: { rules: [{ id: "logs" }], replaces: "none" },
  });
});

test("a vault without an approved coordinator, or with too many questions, gets no further questions", async () => {
  const input = { vault: "elsewhere", question } as const;
  await expect(askBuckets({ ctx: viewer.ctx, input })).rejects.toMatchObject({ code: "precondition_failed" });
  for (let asked = 0; asked < bucketQuestionsOpenMax; asked += 1) await ask();
  const preview = () =>
    previewRules({ ctx: operator.ctx, input: { vault: "v", bucket: "photos", rules: [rule] } });
  await expect(preview()).rejects.toMatchObject({ code: "rate_limited" });
  installation.clock.advance(bucketQuestionOpenMs);
  await preview();
});

test("only an approved coordinator gets questions", async () => {
  for (const changes of [{ role: "pod" }, { status: "pending" }] as const) {
    await expect(exchange({ ...makeCoordinator("v"), ...changes })).rejects.toMatchObject({
      code: "forbidden",
    });
  }
});

test("deletions are summed by day and rule, counting each line once", async () => {
  const line: LifecycleDeletion = {
    at: "2026-11-28T10:00:00.000Z",
    action: "expire",
    bucket: "photos",
    ruleId: "logs",
    count: 500,
    bytes: 4_000_000_000,
  };
  const later = { ...line, at: "2026-11-28T23:59:59.000Z", count: 20 };
  const abort = { ...line, at: "2026-11-29T01:00:00.000Z", action: "abort", count: 1, bytes: 7 } as const;
  const node = makeCoordinator("v");
  await exchange(node, { deletions: [line, later, { ...line, bucket: "films" }] });
  await exchange(node, { deletions: [later, abort] });
  const list = (vault: string) => listDeletions({ ctx: viewer.ctx, input: { vault, bucket: "photos" } });
  expect(await list("v")).toEqual([
    {
      day: "2026-11-29",
      ruleId: "logs",
      action: "abort",
      count: 1,
      bytes: 7,
      lastAt: new Date(abort.at),
    },
    {
      day: "2026-11-28",
      ruleId: "logs",
      action: "expire",
      count: 520,
      bytes: 8_000_000_000,
      lastAt: new Date(later.at),
    },
  ]);
  expect(await list("elsewhere")).toEqual([]);
});

test("housekeeping removes questions after an hour, and deletions after 90 days", async () => {
  const { db } = installation.platform;
  await ask();
  const at = (days: number) => new Date(installation.clock.now().getTime() - days * 86_400_000).toISOString();
  const line = { action: "expire", bucket: "photos", ruleId: "logs", count: 1, bytes: 1 } as const;
  await exchange(makeCoordinator("v"), {
    deletions: [
      { at: at(89), ...line },
      { at: at(91), ...line },
    ],
  });
  installation.clock.advance(3_600_001);
  await runHousekeeping(installation.platform);
  expect([await db.bucketQuestion.count(), await db.lifecycleDeletion.count()]).toEqual([0, 1]);
});
