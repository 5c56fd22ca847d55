import type { LostObject } from "@stashlight/contracts/lost-object";
import { locateObject, readLocations } from "@stashlight/services/object-location";
import { listLostObjects } from "@stashlight/services/vault";
import { askObjectQuestions, type EnrolledIdentity } from "@stashlight/telemetry";
import { beforeEach, expect, test } from "vitest";
import { enrolTestNode, send, useTestIngest } from "./testing/harness.ts";

const ingest = await useTestIngest();
const terms = { role: "coordinator", isAutoApproved: true };
const coordinator = await enrolTestNode(ingest, "main.coordinator-1", terms);
const pod = await enrolTestNode(ingest, "main.pod-1");

beforeEach(() => ingest.installation.clock.advance(60_000));

const exchange = (
  { key }: Pick<EnrolledIdentity, "key">,
  answers: Parameters<typeof askObjectQuestions>[1] = [],
  lost: Parameters<typeof askObjectQuestions>[2] = null,
) =>
  askObjectQuestions(
    { origin: ingest.origin, key: () => key, timeoutMs: 5000, nowMs: Date.now },
    answers,
    lost,
  );

const post = (body: string, headers: Record<string, string> = {}) =>
  send(
    ingest.origin,
    "POST",
    "/v1/object-questions",
    { authorization: `Bearer ${coordinator.key}`, "content-length": Buffer.byteLength(body), ...headers },
    Buffer.from(body),
  );

test("a coordinator receives the questions about its vault, and its answer reaches the user who asked", async () => {
  const { ctx } = ingest.admin;
  const input = { bucket: "photos", key: "cat.jpg" };
  const { askId } = await locateObject({ ctx, input });
  const asked = await exchange(coordinator);
  expect(asked).toEqual({ type: "questions", questions: [{ questionId: expect.any(String), ...input }] });
  const questionId = asked.type === "questions" ? (asked.questions[0]?.questionId ?? "") : "";
  const answered = await exchange(coordinator, [{ questionId, location: { type: "absent" } }]);
  expect(answered).toEqual({ type: "questions", questions: [] });
  const locations = await readLocations({ ctx, input: { askId } });
  expect(locations).toEqual([{ vault: "main", location: { type: "absent" } }]);
});

test("a coordinator's list of objects that cannot be read reaches the console", async () => {
  const object: LostObject = {
    readableCount: 4,
    neededCount: 16,
    shardCount: 20,
    damagedPods: [3],
    unreadablePods: [],
    missingPods: [],
    silentPods: [],
    uploadId: "u",
    part: "piece",
    bucket: "photos",
    key: "film",
    pieceCount: 2,
    sizeBytes: 9,
    etag: "",
    sinceMs: 1,
  };
  const lost = { total: 7, objects: [object] };
  expect(await exchange(coordinator, [], lost)).toMatchObject({ type: "questions" });
  const listed = await listLostObjects({ ctx: ingest.admin.ctx, input: { vault: "main" } });
  expect(listed).toMatchObject({ isCurrent: true, ...lost });
  expect(await exchange(pod, [], lost)).toMatchObject({ type: "failed" });
  const crowd = { total: 101, objects: Array.from({ length: 101 }, () => object) };
  expect(await exchange(coordinator, [], crowd)).toMatchObject({ type: "failed" });
});

test("no other node receives the names of objects that users look for", async () => {
  const refused = { type: "failed", reason: expect.stringMatching(/not an approved coordinator/) };
  expect(await exchange(pod)).toEqual(refused);
  expect(await exchange({ key: "slk_wrong" })).toMatchObject({ type: "failed" });
});

test("names are sent over loopback or TLS only, and an invalid answer is refused", async () => {
  const proxied = { "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "http" };
  const forwarded = await post('{"answers":[]}', proxied);
  expect([forwarded.status, forwarded.text]).toEqual([403, expect.stringContaining("over TLS only")]);
  expect((await post("no JSON")).status).toBe(400);
  expect((await post('{"answers":[{"questionId":"x"}]}')).status).toBe(400);
});
