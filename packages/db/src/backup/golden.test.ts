/** Checks against the exact bytes of one backup that backups of earlier versions stay readable. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMacChain, encodePrelude, MAGIC } from "./chunk-format.ts";
import {
  makeTestFolder,
  readVerified,
  splitParts,
  type TestFolder,
  testHeader,
  testKey,
} from "./testing/files.ts";

let folder: TestFolder;
beforeAll(() => {
  folder = makeTestFolder();
});
afterAll(() => folder.remove());

const backupId = "0123456789abcdef0123456789abcdef";
const rows = ["(ada,admin)", "(vera,viewer)"];
/** Backup of these rows in two chunks. */
const golden = Buffer.from(
  `
    U1RBU0hMSUdIVEJBQ0tVUAAAAAIAAACleyJiYWNrdXBJZCI6IjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVmIiwia2V5
    SWQiOiIwMDAwMDAwMDAwMGEiLCJjcmVhdGVkQXQiOiIyMDI2LTExLTI0VDA5OjAwOjAwLjAwMFoiLCJwcm9maWxlIjoicGxhaW4i
    LCJtaWdyYXRpb25zIjpbIjIwMjYwMTAxMDAwMDAwX2ZpcnN0Il19r3t0engBxBBgBAMyTYcnt3AlBImVfYNDacPRDPpyW8YBAAAA
    TQXBTQqAIBAG0L3H+FYGQwfoKhEx6iwG/Al13ER3770Xk0MWHHgsZI27Dek3x9isThBiy1bqwHFCEwi9ZcH1OXhOTJyK1g0Ofkln
    Wio/7uBJnoTKSAK17FCdA4MhByxDWsYDJnADlZMAVOPCuzgBAAAACCtPLdJU4gIAbBLa7qp1qZ315vCzpkeMA7CGjU+mwqV57clK
    V/cswGcCAAAAMHsicm93Q291bnQiOjIsImtleUlkcyI6W10sIm1ldHJpY1Jvd0NvdW50IjpudWxsffLH+ejWChmeC7hbuGwhFyzE
    lw6XkdnSevzGN/p0twul`,
  "base64",
);

test("a file of format 2 is read back as it was written", async () => {
  expect(await readVerified(folder.file("golden", golden))).toEqual(rows);
});

test("a file is written with the same head and number of frames; the frames may differ with the version of zlib", async () => {
  const written = splitParts(await folder.backup(rows, { backupId, chunkBytes: 80 }));
  const kept = splitParts(golden);
  expect(written.head.equals(kept.head)).toBe(true);
  expect(written.frames.length).toBe(kept.frames.length);
});

test("a file begins with the magic, the version and the manifest, whose MAC covers all three", () => {
  const { head } = splitParts(golden);
  expect(head.subarray(0, 20).equals(Buffer.concat([MAGIC, Buffer.of(0, 0, 0, 2)]))).toBe(true);
  const manifest = head.subarray(24, -32);
  expect(JSON.parse(manifest.toString())).toEqual({ backupId, keyId: testKey.keyId, ...testHeader });
  const mac = createMacChain(testKey.key).manifest(encodePrelude(manifest.length), manifest);
  expect(head.subarray(-32).equals(mac)).toBe(true);
});

test("a file does not contain the key", () => {
  expect(golden.includes(Buffer.from(testKey.key))).toBe(false);
});

const gzipLines = (...lines: readonly unknown[]) =>
  gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const first = { format: "stashlight-backup", formatVersion: 1, ...testHeader };
const table = { table: "public.user_account", columns: ["id", "role"] };
const end = { rowCount: 2, keyIds: [], metricRowCount: null };

test("a file of format 1, which has no MAC, is refused, and read unverified", async () => {
  const path = folder.file("gzip", gzipLines(first, table, ...rows, end));
  await expect(readVerified(path)).rejects.toThrow(
    /was written by an earlier version, whose backups carry no MAC, .* restore it with --unverified\.$/,
  );
  expect(await readVerified(path, { type: "unverified" })).toEqual(rows);
});

test.each<[string, Buffer]>([
  ["without its end", gzipLines(first, table, ...rows)],
  ["with a row missing", gzipLines(first, table, rows[0], end)],
  ["with a row after its end", gzipLines(first, table, ...rows, end, rows[0])],
  ["cut off", gzipLines(first, table, ...rows, end).subarray(0, -9)],
])("a file of format 1 %s is refused even unverified", async (_, bytes) => {
  await expect(readVerified(folder.file("gzip", bytes), { type: "unverified" })).rejects.toThrow(
    /is not whole/,
  );
});

test.each<[string, Buffer]>([
  ["gzip of something else", gzipSync("photos\n")],
  ["broken gzip", Buffer.of(0x1f, 0x8b, 1, 2, 3)],
  ["photos", Buffer.from("photos")],
])("%s is rejected as not a backup", async (_, bytes) => {
  for (const trust of [{ type: "key", key: testKey }, { type: "unverified" }] as const)
    await expect(readVerified(folder.file("other", bytes), trust)).rejects.toThrow(
      /is not a backup of Stashlight's console/,
    );
});

test("a later format is refused by its number", async () => {
  const later = Buffer.from(golden);
  later.writeUInt32BE(9, 16);
  for (const bytes of [later, gzipLines({ ...first, formatVersion: 9 })])
    await expect(readVerified(folder.file("later", bytes))).rejects.toThrow(
      /was written by a later version \(format 9; this one reads up to 2\)\. Use a later Stashlight\.$/,
    );
});

test.each<[string, () => string, RegExp]>([
  ["a missing file", () => folder.at("nowhere"), /cannot be read \(ENOENT\): there is no such file\./],
  ["a folder", () => folder.at("."), /is a folder\. Name the backup in it\.$/],
  [
    "a device or a pipe",
    () => "/dev/null",
    /is not a regular file\. A backup is read twice, so save it in a file first\.$/,
  ],
  ["an empty file", () => folder.file("empty", Buffer.alloc(0)), /is empty\. Use another backup\.$/],
])("%s is refused with the reason", async (_, path, sentence) => {
  await expect(readVerified(path())).rejects.toThrow(sentence);
});
