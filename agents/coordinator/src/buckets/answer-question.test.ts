import { join } from "node:path";
import {
  type BucketAnswer,
  type BucketQuestion,
  bucketAnswerSchema,
  type LifecycleRule,
  objectsCountedWithinMs,
} from "@stashlight/contracts/bucket";
import { useTestFolder } from "@stashlight/contracts/testing";
import { addEncryptionKey, createEncryptionKeys } from "@stashlight/node-runtime/config";
import { parseLifecycleRules } from "@stashlight/s3/lifecycle";
import { beforeEach, expect, test } from "vitest";
import { destroyKey } from "../encryption/key-care.ts";
import { VaultKeyring } from "../encryption/vault-keyring.ts";
import { BUCKET, Coordinators, context, put, type TestCoordinator } from "../space/testing/coordinators.ts";
import { VaultError } from "../vault/errors.ts";
import { answerQuestion } from "./answer-question.ts";

const DAY_MS = 86_400_000;
const clusterId = "ab".repeat(16);

const folder = useTestFolder();
let coordinators: Coordinators;
let first: TestCoordinator;
let audit: object[];
let steadyMs: number;
let check: () => Promise<void>;

beforeEach(async () => {
  ({ coordinators, first } = await Coordinators.start());
  audit = [];
  steadyMs = 0;
  check = async () => {};
});

const keyring = (keyFile?: string) =>
  new VaultKeyring({
    file: { clusterId, ...(keyFile && { encryption: { keyFile, newBuckets: "AES256" as const } }) },
    nowMs: () => Date.now(),
  });

/** Returns the answer as the ingest receives it. */
async function ask(question: BucketQuestion, ofVault = keyring()): Promise<BucketAnswer> {
  const { vault } = coordinators;
  const options = {
    vault,
    keyring: ofVault,
    check: () => check(),
    steadyMs: () => steadyMs,
    wallMs: () => 9 * DAY_MS,
    audit: { append: async (line: object) => void audit.push(line) },
  };
  return bucketAnswerSchema.parse(JSON.parse(JSON.stringify(await answerQuestion(options, question))));
}

const view = () => ask({ type: "view", bucket: BUCKET });
const rule = (id: string, changes: Partial<LifecycleRule> = {}): LifecycleRule => ({
  id,
  isEnabled: true,
  form: "filter",
  abortAfterDays: null,
  filter: { prefix: "logs/", tags: [], sizeBytesAbove: null, sizeBytesBelow: null },
  expiration: { kind: "days", days: 1 },
  ...changes,
});
const save = (rules: LifecycleRule[], revision: string) =>
  ask({ type: "save", bucket: BUCKET, rules, revision, operator: "Ada" });
const keptRules = async () => {
  const setting = { bucket: BUCKET, name: "lifecycle" };
  return await first.store.readBucketSetting(context, setting);
};
const keep = (name: string, text: string) =>
  first.store.writeBucketSetting(context, { bucket: BUCKET, name, text });

test("a list has the buckets with the prefix, and the first of their tags", async () => {
  for (const bucket of ["archive", "photos-2"]) await first.store.createBucket(context, { bucket });
  await put(first, "a", "four");
  const tags = [1, 2, 3, 4].map((each) => `<Tag><Key>k${each}</Key><Value/></Tag>`).join("");
  await keep("tagging", `<Tagging><TagSet>${tags}</TagSet></Tagging>`);
  const answer = await ask({ type: "list", prefix: "photos", after: "" });
  expect(answer).toMatchObject({
    isTruncated: false,
    buckets: [
      {
        name: BUCKET,
        objects: { count: 1, bytes: 4, isWhole: true },
        tagCount: 4,
        lifecycleRuleCount: 0,
        encryption: { isDefault: false, key: { type: "none" } },
      },
      { name: "photos-2", objects: { count: 0, bytes: 0, isWhole: true }, tags: [] },
    ],
  });
  expect(answer.type === "list" && answer.buckets[0]?.tags.map(({ key }) => key)).toEqual(["k1", "k2", "k3"]);
  expect(await ask({ type: "list", prefix: "photos", after: BUCKET })).toMatchObject({
    buckets: [{ name: "photos-2" }],
  });
});

test("a bucket with rules or tags of a later version is listed with null counts, among the others", async () => {
  for (const bucket of ["archive", "videos"]) await first.store.createBucket(context, { bucket });
  const rules =
    "<LifecycleConfiguration><Rule><Status>Enabled</Status><Novelty/></Rule></LifecycleConfiguration>";
  await keep("lifecycle", rules);
  await keep("tagging", "<Tagging><Novelty/></Tagging>");
  expect(await ask({ type: "list", prefix: "", after: "" })).toMatchObject({
    buckets: [
      { name: "archive", lifecycleRuleCount: 0, tagCount: 0 },
      { name: BUCKET, lifecycleRuleCount: null, tagCount: null, tags: [] },
      { name: "videos", lifecycleRuleCount: 0, tagCount: 0 },
    ],
  });
  expect(await view()).toMatchObject({ bucket: { lifecycleRuleCount: null, tagCount: null }, rules: null });
});

test("a list is truncated after 100 buckets, and stops counting objects after three seconds", async () => {
  for (let at = 0; at < 101; at += 1) {
    await first.store.createBucket(context, { bucket: `b-${String(at).padStart(3, "0")}` });
  }
  coordinators.vault.before = (verb, bucket) => {
    if (verb === "list" && bucket === "b-001") steadyMs = 3000;
  };
  const answer = await ask({ type: "list", prefix: "", after: "" });
  if (answer.type !== "list") throw new Error(answer.type);
  expect([answer.buckets.length, answer.isTruncated]).toEqual([100, true]);
  expect(answer.buckets.slice(0, 3).map(({ objects }) => objects?.count ?? null)).toEqual([0, 0, null]);
});

test("a view reports an incomplete count if it runs out of time", async () => {
  for (let at = 0; at < 1001; at += 1) await put(first, `k${at}`, "x");
  expect(await view()).toMatchObject({ bucket: { objects: { count: 1001, bytes: 1001, isWhole: true } } });
  coordinators.vault.before = (verb) => {
    if (verb === "list") steadyMs += objectsCountedWithinMs;
  };
  expect(await view()).toMatchObject({ bucket: { objects: { count: 1000, isWhole: false } } });
});

test("rules are saved for clients, audited and shown in the next view, and an empty list removes them", async () => {
  expect(await view()).toMatchObject({ rules: [], revision: "none" });
  const rules = [rule("logs"), rule("old", { form: "prefix", abortAfterDays: 3 })];
  expect(await save(rules, "none")).toEqual({ type: "saved" });
  expect(parseLifecycleRules((await keptRules()) ?? "")).toEqual(rules);
  const shown = await view();
  if (shown.type !== "view") throw new Error(shown.type);
  expect(shown.rules).toEqual(rules);
  expect(audit).toMatchObject([
    { action: "lifecycle.save", result: "asked", bucket: BUCKET, operator: { user: "Ada" } },
    { result: "done" },
  ]);
  expect(await save([], shown.revision)).toEqual({ type: "saved" });
  expect(await keptRules()).toBeNull();
});

test("rules that a client changed after they were shown are not replaced", async () => {
  const changed = { type: "refused", reason: expect.stringMatching(/have changed since/) };
  await save([rule("first")], "none");
  const before = await keptRules();
  expect(await save([rule("second")], "none")).toEqual(changed);
  // Simulates a client that changes the rules between the comparison and the write.
  const shown = await view();
  const revision = shown.type === "view" ? shown.revision : "";
  const document = before?.replace("first", "of a client") ?? "";
  let isReached = false;
  coordinators.vault.before = async (verb, bucket) => {
    if (isReached || verb !== "put" || bucket !== ".settings") return;
    isReached = true;
    await keep("lifecycle", document);
  };
  expect(await save([rule("second")], revision)).toEqual(changed);
  expect([isReached, await keptRules()]).toEqual([true, document]);
  expect(audit.at(-1)).toMatchObject({ result: "refused" });
});

test("rules that S3 refuses are neither saved nor counted", async () => {
  const bad = rule("sized", {
    filter: { prefix: null, tags: [], sizeBytesAbove: 5, sizeBytesBelow: null },
    abortAfterDays: 1,
  });
  const refused = {
    type: "refused",
    reason: expect.stringMatching(/cannot be specified with tags or sizes/),
  };
  expect(await save([bad], "none")).toEqual(refused);
  expect(await ask({ type: "preview", bucket: BUCKET, rules: [bad] })).toEqual(refused);
  expect([await keptRules(), audit]).toEqual([null, []]);
});

test("a preview counts what each rule would delete now, and deletes nothing", async () => {
  for (const key of ["logs/a", "logs/b", "data/a"]) await put(first, key, "x");
  const off = rule("off", { isEnabled: false });
  expect(await ask({ type: "preview", bucket: BUCKET, rules: [rule("logs"), off] })).toMatchObject({
    rules: [
      { id: "logs", objects: { count: 2, bytes: 2 } },
      { id: "off", isEnabled: false, objects: { count: 0, oldestMs: null } },
    ],
    isWhole: true,
  });
  expect(coordinators.vault.keysIn(BUCKET)).toHaveLength(3);
});

test("a bucket key is reported with the version of the vault's key that wraps it, until it is destroyed", async () => {
  const keyFile = join(folder, "encryption.key");
  createEncryptionKeys(keyFile, clusterId, Date.parse("2026-11-01T12:00:00Z"));
  const encrypting = coordinators.add({ file: { clusterId, encryption: { keyFile, newBuckets: "AES256" } } });
  await encrypting.store.createBucket(context, { bucket: "sealed" });
  const viewKey = async (ofVault: VaultKeyring) => {
    const answer = await ask({ type: "view", bucket: "sealed" }, ofVault);
    return answer.type === "view" ? answer.bucket.encryption : answer;
  };
  const versionMadeAt = "2026-11-01T12:00:00.000Z";
  const wrapped = { type: "wrapped", version: 1, versionMadeAt };
  expect(await viewKey(keyring(keyFile))).toEqual({ isDefault: true, key: { ...wrapped, isNewest: true } });
  addEncryptionKey(keyFile, clusterId, Date.parse("2026-11-29T12:00:00Z"));
  expect(await viewKey(keyring(keyFile))).toMatchObject({ key: { ...wrapped, isNewest: false } });
  expect(await viewKey(keyring())).toMatchObject({ key: { version: 1, versionMadeAt: null } });
  await destroyKey(coordinators.vault, "sealed");
  expect(await viewKey(keyring(keyFile))).toMatchObject({ key: { type: "destroyed" } });
});

test.each([
  ["a view of a missing bucket", { type: "view", bucket: "none" }, /no bucket none/],
  [
    "a preview for a missing bucket",
    { type: "preview", bucket: "none", rules: [rule("a")] },
    /no bucket none/,
  ],
  [
    "a change of a missing bucket",
    { type: "save", bucket: "none", rules: [], revision: "none", operator: "Ada" },
    /no bucket none/,
  ],
] as const)("%s is refused because the bucket does not exist", async (_, question, reason) => {
  expect(await ask(question as BucketQuestion)).toEqual({
    type: "refused",
    reason: expect.stringMatching(reason),
  });
});

test("a question to an unreadable vault, or one that must not be served, is refused with the reason", async () => {
  coordinators.vault.before = () => Promise.reject(new VaultError("unavailable"));
  expect(await view()).toEqual({ type: "refused", reason: new VaultError("unavailable").message });
  coordinators.vault.before = () => {};
  check = () => Promise.reject(new VaultError("unavailable", "This vault belongs behind another endpoint."));
  expect(await view()).toMatchObject({ reason: "This vault belongs behind another endpoint." });
});
