import type { BucketAnswer, BucketReport, LifecycleDeletion } from "@stashlight/contracts/bucket";
import { askBuckets, listDeletions, readBucketAnswer } from "@stashlight/services/bucket";
import { askBucketQuestions, type EnrolledIdentity } from "@stashlight/telemetry";
import { beforeEach, expect, test } from "vitest";
import { enrolTestNode, send, useTestIngest } from "./testing/harness.ts";

const ingest = await useTestIngest();
const terms = { role: "coordinator", isAutoApproved: true };
const coordinator = await enrolTestNode(ingest, "main.coordinator-1", terms);
const pod = await enrolTestNode(ingest, "main.pod-1");

beforeEach(() => ingest.installation.clock.advance(60_000));

const exchange = ({ key }: Pick<EnrolledIdentity, "key">, report: Partial<BucketReport> = {}) =>
  askBucketQuestions(
    { origin: ingest.origin, key: () => key, timeoutMs: 5000, nowMs: Date.now },
    { room: 4, answers: [], deletions: [], ...report },
  );
const post = (body: string, headers: Record<string, string> = {}) =>
  send(
    ingest.origin,
    "POST",
    "/v1/bucket-questions",
    { authorization: `Bearer ${coordinator.key}`, "content-length": Buffer.byteLength(body), ...headers },
    Buffer.from(body),
  );

test("a coordinator receives a question, and the console receives its answer and what rules deleted", async () => {
  const { ctx } = ingest.admin;
  const question = { type: "list", prefix: "", after: "" } as const;
  const { questionId } = await askBuckets({ ctx, input: { vault: "main", question } });
  expect(await exchange(coordinator)).toEqual({ type: "questions", questions: [{ questionId, question }] });
  const answer: BucketAnswer = { type: "list", buckets: [], isTruncated: false };
  const deletion: LifecycleDeletion = {
    at: "2026-11-29T10:00:00.000Z",
    action: "expire",
    bucket: "photos",
    ruleId: "logs",
    count: 5,
    bytes: 9,
  };
  expect(await exchange(coordinator, { answers: [{ questionId, answer }], deletions: [deletion] })).toEqual({
    type: "questions",
    questions: [],
  });
  expect(await readBucketAnswer({ ctx, input: { questionId } })).toEqual({ state: "answered", answer });
  expect(await listDeletions({ ctx, input: { vault: "main", bucket: "photos" } })).toMatchObject([
    { ruleId: "logs", count: 5, bytes: 9 },
  ]);
});

test("other nodes receive no questions", async () => {
  const refused = { type: "failed", reason: expect.stringMatching(/not an approved coordinator/) };
  expect(await exchange(pod)).toEqual(refused);
  expect(await exchange({ key: "slk_wrong" })).toMatchObject({ type: "failed" });
});

test("questions are sent over loopback or TLS only, and an invalid report is refused", async () => {
  const proxied = { "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "http" };
  const empty = '{"room":0,"answers":[],"deletions":[]}';
  const forwarded = await post(empty, proxied);
  expect([forwarded.status, forwarded.text]).toEqual([403, expect.stringContaining("over TLS only")]);
  expect((await post(empty)).status).toBe(200);
  expect((await post("no JSON")).status).toBe(400);
  expect((await post('{"room":-1,"answers":[],"deletions":[]}')).status).toBe(400);
});
