import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { LARGE_SIZE } from "@stashlight/node-runtime/objects";
import type { Condition, LostObject, Shortage, UploadHeader } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { PIECES } from "../records/pieces.ts";
import { VaultError } from "../vault/errors.ts";
import { openAuditLog } from "./audit-log.ts";
import { type GiveUpOptions, giveUp } from "./give-up.ts";
import { testLost, testShortage, testUpload } from "./testing.ts";

const operator = { user: "ada", host: "desk" };
const asked = { bucket: "photos", key: "cat", uploadId: "u", operator };
const unreadable = (shortage: Shortage) => new VaultError("undecodable", "Too few shards.", shortage);

const folder = useTestFolder();

const auditLines = (): Record<string, unknown>[] => {
  try {
    const text = readFileSync(join(folder, "audit.log"), "utf8");
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  } catch {
    return [];
  }
};

interface Held {
  readonly upload?: UploadHeader | null;
  /** Shortages of unreadable objects, by bucket and key. */
  readonly shortages?: Readonly<Record<string, Shortage>>;
  readonly body?: object;
  readonly lost?: readonly LostObject[];
  readonly deleting?: () => void;
  readonly audit?: GiveUpOptions["audit"];
}

function vaultWith({ upload = testUpload(), shortages = {}, body, lost = [], deleting, audit }: Held) {
  const deleted: [string, string, Condition | undefined][] = [];
  const forgotten: string[] = [];
  const logged: object[] = [];
  const options: GiveUpOptions = {
    trouble: () => null,
    verbs: {
      head: async () => upload,
      get: async (bucket, key) => {
        const shortage = shortages[`${bucket}/${key}`];
        if (shortage !== undefined) throw unreadable(shortage);
        return upload && { upload, parts: [Buffer.from(JSON.stringify(body ?? {}))] };
      },
      delete: async (bucket, key, condition) => {
        deleting?.();
        deleted.push([bucket, key, condition]);
        return testUpload({ kind: "tombstone" });
      },
    },
    lostObjects: () => lost,
    forgetLost: (uploadId) => void forgotten.push(uploadId),
    audit: audit ?? openAuditLog(folder),
    logger: {
      warn: (line: object) => void logged.push(line),
      error: (line: object) => void logged.push(line),
    },
    wallMs: () => Date.UTC(2026, 10, 28),
  };
  return { options, deleted, forgotten, logged };
}

const lostCat = { shortages: { "photos/cat": testShortage() } };

test("a lost object is deleted by its ETag, with two audit lines that name the operator", async () => {
  const { options, deleted, forgotten, logged } = vaultWith(lostCat);
  const { object } = await giveUp(options, asked);
  expect(object).toMatchObject({ uploadId: "u", etag: "e", readableCount: 4 });
  expect(deleted).toEqual([["photos", "cat", { type: "etag", etag: "e" }]]);
  expect(forgotten).toEqual(["u"]);
  const facts = {
    time: "2026-11-28T00:00:00.000Z",
    action: "object.give-up",
    operator,
    bucket: "photos",
    key: "cat",
    uploadId: "u",
    sizeBytes: 9,
    etag: "e",
    readableCount: 4,
    neededCount: 16,
    shardCount: 20,
  };
  expect(auditLines()).toEqual([
    { ...facts, result: "asked" },
    { ...facts, result: "given up" },
  ]);
  expect(logged).toEqual(auditLines());
  expect(statSync(join(folder, "audit.log")).mode & 0o777).toBe(0o600);
});

test("lines are appended to the audit log, and none is ever replaced", async () => {
  const { options } = vaultWith(lostCat);
  await giveUp(options, asked);
  await giveUp(options, asked);
  expect(auditLines()).toHaveLength(4);
});

test("a check without an upload id deletes and records nothing", async () => {
  const { options, deleted } = vaultWith(lostCat);
  const { object } = await giveUp(options, { ...asked, uploadId: null });
  expect(object).toMatchObject({ uploadId: "u", bucket: "photos", key: "cat", damagedPods: [3, 7] });
  expect([deleted, auditLines()]).toEqual([[], []]);
});

const large = testUpload({ userMetadata: { [LARGE_SIZE]: "25" } });
const manifest = { pieces: [{ id: "x", sizeBytes: 25, pieceBytes: 10 }] };
const pieceShortage = testShortage({ uploadId: "p", bucket: PIECES, key: "x/00000001" });
const foreignShortage = testShortage({ uploadId: "q", bucket: PIECES, key: "y/00000001" });
const maybe = (part: Partial<Shortage>) => ({
  "photos/cat": testShortage({}, { readableCount: 12, ...part }),
});

test.each<[string, Held, Partial<typeof asked>, number, RegExp]>([
  ["there is no such object", { upload: null }, {}, 404, /There is no object photos\/cat/],
  ["it can be read", {}, {}, 409, /can be read.*Delete it over S3/],
  ["silent pods may make it readable", { shortages: maybe({ silentPods: [1, 2, 4, 5] }) }, {}, 409, /may be/],
  ["drives may be read again", { shortages: maybe({ unreadablePods: [1, 2, 4, 5] }) }, {}, 409, /p1, p2/],
  ["it was written meanwhile", lostCat, { uploadId: "earlier" }, 409, /was written meanwhile/],
  ["all of its pieces can be read", { upload: large, body: manifest }, {}, 409, /download it once/],
  [
    "the lost piece is another object's",
    {
      upload: large,
      body: manifest,
      lost: [testLost(foreignShortage)],
      shortages: { ".pieces/y/00000001": foreignShortage },
    },
    {},
    409,
    /can be read/,
  ],
  [
    "its lost piece is back",
    { upload: large, body: manifest, lost: [testLost(pieceShortage)] },
    {},
    409,
    /can/,
  ],
  ["it is an internal record", lostCat, { bucket: ".buckets" }, 400, /Internal records/],
  ["the key is missing", lostCat, { key: "" }, 400, /The body is/],
])("nothing is deleted or recorded if %s", async (_, held, difference, status, message) => {
  const { options, deleted } = vaultWith(held);
  const given = giveUp(options, { ...asked, ...difference });
  await expect(given).rejects.toMatchObject({ status, message: expect.stringMatching(message) });
  expect([deleted, auditLines()]).toEqual([[], []]);
});

test("an object that needs four shards is lost even if three pods may come back", async () => {
  const { options, deleted } = vaultWith({ shortages: maybe({ silentPods: [1, 2, 4] }) });
  await giveUp(options, asked);
  expect(deleted).toHaveLength(1);
});

test("an object with a lost piece is given up as a whole", async () => {
  const { options, deleted } = vaultWith({
    upload: large,
    body: manifest,
    lost: [testLost(pieceShortage)],
    shortages: { ".pieces/x/00000001": pieceShortage },
  });
  expect(await giveUp(options, asked)).toMatchObject({ object: { part: "object", sizeBytes: 25 } });
  expect(deleted).toEqual([["photos", "cat", { type: "etag", etag: "e" }]]);
});

test("a write in between is kept, and the log records that nothing was deleted", async () => {
  const deleting = () => {
    throw new VaultError("precondition");
  };
  const { options, forgotten } = vaultWith({ ...lostCat, deleting });
  await expect(giveUp(options, asked)).rejects.toMatchObject({ status: 409 });
  expect(auditLines().map(({ result }) => result)).toEqual(["asked", expect.stringMatching(/^refused: /)]);
  expect(forgotten).toEqual([]);
});

test("nothing is deleted when the audit log cannot be written", async () => {
  const audit = { append: () => Promise.reject(new Error("ENOSPC")) };
  const { options, deleted } = vaultWith({ ...lostCat, audit });
  await expect(giveUp(options, asked)).rejects.toMatchObject({
    status: 507,
    message: expect.stringContaining("ENOSPC"),
  });
  expect(deleted).toEqual([]);
});

test("an endpoint that rejects all requests deletes nothing", async () => {
  const { options, deleted } = vaultWith(lostCat);
  const trouble = () => "This vault stands behind an endpoint with others.";
  await expect(giveUp({ ...options, trouble }, asked)).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining("with others"),
  });
  expect([deleted, auditLines()]).toEqual([[], []]);
});

test("a vault that cannot answer fails the request with 503", async () => {
  const { options } = vaultWith({});
  const head = () => Promise.reject(new VaultError("unavailable"));
  const given = giveUp({ ...options, verbs: { ...options.verbs, head } }, asked);
  await expect(given).rejects.toMatchObject({ status: 503 });
});
