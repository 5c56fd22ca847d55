import { expect, test } from "vitest";
import { PARTS, UPLOADS } from "../records/multipart-records.ts";
import { VaultError } from "../vault/errors.ts";
import {
  BUCKET,
  beginMultipart,
  Coordinators,
  complete,
  openRead,
  put,
  putPart,
  readOn,
  remove,
  type TestCoordinator,
} from "./testing/coordinators.ts";

const BODY = "0123456789abcdefghijklmno";
const OTHER = "ABCDEFGHIJKLMNOPQRSTU";
const SOON_MS = 60_000;
const LONG_MS = 3_600_000;
const PIECE_COUNT_OF_PARTS_1_AND_2 = 6;

const read = async (coordinator: TestCoordinator, key: string) => readOn(await openRead(coordinator, key));

/** Part 1 is uploaded twice, and no completion includes part 3. */
async function startUpload() {
  const { coordinators, first } = await Coordinators.start();
  const second = coordinators.add();
  const uploadId = await beginMultipart(first, "k");
  for (const body of [OTHER, BODY]) await putPart(first, "k", uploadId, 1, body);
  await putPart(second, "k", uploadId, 2, OTHER);
  await putPart(second, "k", uploadId, 3, BODY);
  return { coordinators, first, second, uploadId };
}

const broken: [string, (verb: string, bucket: string, key: string) => boolean][] = [
  ["the list of its parts", (verb, bucket) => verb === "list" && bucket === PARTS],
  [
    "the record of its first part",
    (verb, bucket, key) => verb === "delete" && bucket === PARTS && /1$/.test(key),
  ],
  [
    "the record of its last part",
    (verb, bucket, key) => verb === "delete" && bucket === PARTS && /3$/.test(key),
  ],
  ["its own record", (verb, bucket) => verb === "delete" && bucket === UPLOADS],
];

test.each(broken)(
  "a completion interrupted at %s is repeated elsewhere, and the object keeps its pieces",
  async (_, breaksAt) => {
    const { coordinators, first, second, uploadId } = await startUpload();
    let isStored = false;
    coordinators.vault.before = (verb, bucket, key) => {
      if (isStored && breaksAt(verb, bucket, key)) throw new VaultError("unavailable");
      isStored ||= verb === "put" && bucket === BUCKET;
    };
    await expect(complete(first, "k", uploadId, [1, 2])).rejects.toMatchObject({ code: "SlowDown" });
    coordinators.vault.before = () => {};
    await coordinators.pass(LONG_MS);
    await complete(second, "k", uploadId, [1, 2]);
    await coordinators.pass(LONG_MS);
    expect(await read(first, "k")).toBe(BODY + OTHER);
    expect(coordinators.pieceKeys).toHaveLength(PIECE_COUNT_OF_PARTS_1_AND_2);
    expect(coordinators.vault.keysIn(PARTS)).toEqual([]);
    expect(coordinators.vault.keysIn(UPLOADS)).toEqual([]);
  },
);

test("a completion overtaken by the same one elsewhere takes no pieces from the object", async () => {
  const { coordinators, first, second, uploadId } = await startUpload();
  coordinators.vault.before = async (verb, bucket) => {
    if (verb !== "put" || bucket !== BUCKET) return;
    coordinators.vault.before = () => {};
    await complete(second, "k", uploadId, [1, 2]);
    await coordinators.pass(LONG_MS);
  };
  await complete(first, "k", uploadId, [1, 2]);
  await coordinators.pass(SOON_MS);
  expect(await read(second, "k")).toBe(BODY + OTHER);
  expect(coordinators.pieceKeys).toHaveLength(PIECE_COUNT_OF_PARTS_1_AND_2);
});

test.each([
  ["its object", "put", BUCKET],
  ["a record of a part", "delete", PARTS],
  ["its own record", "delete", UPLOADS],
])("a completion succeeds if the same one elsewhere is faster at %s", async (_, slow, at) => {
  const { coordinators, first, second, uploadId } = await startUpload();
  coordinators.vault.before = async (verb, bucket) => {
    if (verb !== slow || bucket !== at) return;
    coordinators.vault.before = () => {};
    await complete(second, "k", uploadId, [1, 2]);
    throw new VaultError("unavailable");
  };
  await complete(first, "k", uploadId, [1, 2]);
  await coordinators.pass(LONG_MS);
  expect(await read(second, "k")).toBe(BODY + OTHER);
  expect(coordinators.pieceKeys).toHaveLength(PIECE_COUNT_OF_PARTS_1_AND_2);
});

test("a completion whose key another object has taken is refused", async () => {
  const { coordinators, first, second, uploadId } = await startUpload();
  coordinators.vault.before = async (verb, bucket) => {
    if (verb !== "put" || bucket !== BUCKET) return;
    coordinators.vault.before = () => {};
    await put(second, "k", OTHER);
    throw new VaultError("unavailable");
  };
  await expect(complete(first, "k", uploadId, [1, 2])).rejects.toMatchObject({ code: "SlowDown" });
  expect(await read(second, "k")).toBe(OTHER);
});

test("a completion repeated after its object was deleted restores nothing", async () => {
  const { coordinators, first, second, uploadId } = await startUpload();
  await complete(first, "k", uploadId, [1, 2]);
  await remove(second, "k");
  await coordinators.pass(SOON_MS);
  expect(coordinators.pieceKeys).toEqual([]);
  await expect(complete(first, "k", uploadId, [1, 2])).rejects.toMatchObject({ code: "NoSuchUpload" });
});
