import { AdminError } from "@stashlight/node-runtime";
import { beforeEach, describe, expect, test } from "vitest";
import {
  BUCKET,
  beginMultipart,
  Coordinators,
  context,
  put,
  putPart,
  type TestCoordinator,
} from "../space/testing/coordinators.ts";
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

const nothing = { count: 0, bytes: 0, oldestMs: null };

function preview(body: unknown) {
  const { vault } = coordinators;
  return previewLifecycle({ vault, wallMs: () => 2 * DAY, steadyMs: () => steadyMs }, body);
}

test("unsaved rules are counted, and nothing is deleted", async () => {
  const oldestMs = (
    await first.store.headObject(context, { bucket: BUCKET, key: "logs/a", customerKey: null })
  ).modifiedMs;
  expect(await preview({ bucket: BUCKET, document: DOCUMENT })).toEqual({
    rules: [
      { id: "logs", isEnabled: true, objects: { count: 2, bytes: 48, oldestMs }, uploads: nothing },
      { id: "late", isEnabled: true, objects: nothing, uploads: nothing },
    ],
    seenCount: 3,
    isWhole: true,
    areAllUploadsSeen: true,
  });
  expect(coordinators.vault.keysIn(BUCKET)).toHaveLength(3);
});

test("without a document, the rules in force are counted", async () => {
  expect((await preview({ bucket: BUCKET, document: null })).rules).toEqual([]);
  await first.store.writeBucketSetting(context, { bucket: BUCKET, name: "lifecycle", text: DOCUMENT });
  expect((await preview({ bucket: BUCKET, document: null })).rules).toMatchObject([
    { objects: { count: 2 } },
    { objects: { count: 0 } },
  ]);
});

describe("multipart uploads", () => {
  const abort = (id: string, prefix: string, days: number) =>
    `<Rule><ID>${id}</ID><Filter><Prefix>${prefix}</Prefix></Filter><Status>Enabled</Status><AbortIncompleteMultipartUpload><DaysAfterInitiation>${days}</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>`;
  const document = `<LifecycleConfiguration>${abort("parts", "u/", 1)}${abort("later", "u/late/", 9)}${abort("sooner", "u/b", 1)}</LifecycleConfiguration>`;

  beforeEach(async () => {
    await first.store.createBucket(context, { bucket: "photos-2" });
    for (const key of ["u/a", "u/b", "u/late/c", "other"]) {
      const uploadId = await beginMultipart(first, key);
      for (const part of [1, 2]) await putPart(first, key, uploadId, part, "a body of several pieces");
    }
    await beginMultipart(first, "u/empty");
  });

  test("that a rule would abort are counted with their parts, for the first matching rule, and none is aborted", async () => {
    const { rules, areAllUploadsSeen } = await preview({ bucket: BUCKET, document });
    const oldestMs = expect.any(Number);
    expect(rules.map(({ uploads }) => uploads)).toEqual([
      { count: 4, bytes: 3 * 48, oldestMs },
      nothing,
      nothing,
    ]);
    expect(areAllUploadsSeen).toBe(true);
    expect(coordinators.vault.keysIn(".uploads")).toHaveLength(5);
    expect((await preview({ bucket: "photos-2", document })).rules[0]?.uploads).toEqual(nothing);
  });

  test("are reported as incomplete if counting them takes more than half of the time, and objects are still counted", async () => {
    coordinators.vault.before = (verb, bucket) => {
      if (verb === "list" && bucket === ".parts") steadyMs += 15_000;
    };
    const both = document.replace(
      "</LifecycleConfiguration>",
      DOCUMENT.replace("<LifecycleConfiguration>", ""),
    );
    expect(await preview({ bucket: BUCKET, document: both })).toMatchObject({
      rules: [{ uploads: { count: 2 } }, {}, {}, { objects: { count: 2 } }, {}],
      isWhole: true,
      areAllUploadsSeen: false,
    });
  });
});

test("a bucket that cannot be counted within a minute is reported as incomplete", async () => {
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
])("the request %j is refused with %i", async (body, status, sentence) => {
  const refused = preview(body);
  await expect(refused).rejects.toThrow(AdminError);
  await expect(refused).rejects.toMatchObject({ status, message: expect.stringMatching(sentence) });
});

test("a preview of a vault that does not answer fails with 503", async () => {
  coordinators.vault.before = () => {
    throw new VaultError("unavailable");
  };
  await expect(preview({ bucket: BUCKET, document: DOCUMENT })).rejects.toMatchObject({ status: 503 });
});
