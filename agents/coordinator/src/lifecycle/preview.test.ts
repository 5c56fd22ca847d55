import { AdminError } from "@stashlight/node-runtime";
import { beforeEach, expect, test } from "vitest";
import { BUCKET, Coordinators, context, put, type TestCoordinator } from "../space/testing/coordinators.ts";
import { VaultError } from "../vault/errors.ts";
import { previewLifecycle } from "./preview.ts";

const DAY = 86_400_000;
const DOCUMENT = `<LifecycleConfiguration><Rule><ID>logs</ID><Filter><Prefix>logs/</Prefix></Filter><Status>Enabled</Status><Expiration><Days>1</Days></Expiration></Rule><Rule><ID>late</ID><Filter/><Status>Enabled</Status><Expiration><Days>9</Days></Expiration></Rule></LifecycleConfiguration>`;

let coordinators: Coordinators;
let first: TestCoordinator;
let steadyMs: number;

beforeEach(async () => {
  ({ coordinators, first } = await Coordinators.start());
  steadyMs = 0;
  for (const key of ["logs/a", "logs/b", "data/a"]) await put(first, key, "a body of several pieces");
});

function preview(body: unknown) {
  const { vault } = coordinators;
  return previewLifecycle({ vault, wallMs: () => 2 * DAY, steadyMs: () => steadyMs }, body);
}

test("rules that are not saved are counted, and nothing is deleted", async () => {
  const oldestMs = (
    await first.store.headObject(context, { bucket: BUCKET, key: "logs/a", customerKey: null })
  ).modifiedMs;
  expect(await preview({ bucket: BUCKET, document: DOCUMENT })).toEqual({
    rules: [
      { id: "logs", isEnabled: true, count: 2, bytes: 48, oldestMs },
      { id: "late", isEnabled: true, count: 0, bytes: 0, oldestMs: null },
    ],
    seenCount: 3,
    isWhole: true,
  });
  expect(coordinators.vault.keysIn(BUCKET)).toHaveLength(3);
});

test("without a document the rules in force are counted", async () => {
  expect((await preview({ bucket: BUCKET, document: null })).rules).toEqual([]);
  await first.store.writeBucketSetting(context, { bucket: BUCKET, name: "lifecycle", text: DOCUMENT });
  expect((await preview({ bucket: BUCKET, document: null })).rules).toMatchObject([
    { count: 2 },
    { count: 0 },
  ]);
});

test("reports a bucket that cannot be searched in a minute separately", async () => {
  for (let at = 0; at < 1000; at += 1) await put(first, `more/${at}`, "x");
  coordinators.vault.before = (verb) => {
    if (verb === "list") steadyMs += 60_000;
  };
  expect(await preview({ bucket: BUCKET, document: DOCUMENT })).toMatchObject({
    seenCount: 1000,
    isWhole: false,
  });
});

test.each([
  [{ bucket: "none", document: DOCUMENT }, 404, /no bucket none/],
  [{ bucket: ".buckets", document: DOCUMENT }, 404, /no bucket/],
  [{ bucket: BUCKET, document: "<Rules/>" }, 400, /MalformedXML/],
  [{ bucket: BUCKET }, 400, /The body is/],
])("the question %j is refused with %i", async (body, status, sentence) => {
  const refused = preview(body);
  await expect(refused).rejects.toThrow(AdminError);
  await expect(refused).rejects.toMatchObject({ status, message: expect.stringMatching(sentence) });
});

test("a vault that does not answer is reported as such", async () => {
  coordinators.vault.before = () => {
    throw new VaultError("unavailable");
  };
  await expect(preview({ bucket: BUCKET, document: DOCUMENT })).rejects.toMatchObject({ status: 503 });
});
