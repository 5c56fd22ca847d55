/** Tests vaults that join an endpoint, and vaults outside it, which are left alone. */
import { expect, test } from "vitest";
import { BUCKETS } from "../records/bucket-records.ts";
import { recordKey, UPLOADS } from "../records/multipart-records.ts";
import { MemoryVault } from "../space/testing/memory-vault.ts";
import { VaultError } from "../vault/errors.ts";
import { BucketMarkers } from "./bucket-markers.ts";
import { memberVault } from "./member-vault.ts";
import { join } from "./membership.ts";

const NONE = { type: "none" } as const;
const how = { requestId: null } as const;
const first = { id: "id-first", name: "first" };
const own = { id: "id-own", name: "own" };

async function put(vault: MemoryVault, bucket: string, key: string): Promise<void> {
  const object = { bucket, key, bytes: Buffer.from("x"), etag: "e", contentType: "", metadata: {} };
  await vault.put(object, NONE, how);
}

test("an empty vault joins, and so does one with empty copies of the endpoint's buckets", async () => {
  const firstVault = new MemoryVault();
  await put(firstVault, BUCKETS, "photos");
  const empty = new MemoryVault();
  expect(await join(empty, own, { first, firstVault })).toBeNull();
  const copies = new MemoryVault();
  await put(copies, BUCKETS, "photos");
  expect(await join(copies, own, { first, firstVault })).toBeNull();
  expect(await join(copies, own, { first: { id: "id-other", name: "other" }, firstVault })).toBe(
    "The vault own is behind the endpoint of first.",
  );
});

test("a vault with objects, an unfinished upload, or a bucket that the endpoint lacks, is refused with the bucket's name", async () => {
  const firstVault = new MemoryVault();
  await put(firstVault, BUCKETS, "photos");
  const filled = new MemoryVault();
  await put(filled, BUCKETS, "photos");
  await put(filled, "photos", "a.jpg");
  expect(await join(filled, own, { first, firstVault })).toBe(
    "The vault own has the bucket photos of its own; only an empty vault can be added.",
  );
  const other = new MemoryVault();
  await put(other, BUCKETS, "films");
  expect(await join(other, own, { first, firstVault })).toMatch(/has the bucket films of its own/);
  const begun = new MemoryVault();
  await put(begun, UPLOADS, recordKey({ bucket: "photos", key: "a.mov", uploadId: "u1" }));
  expect(await join(begun, own, { first, firstVault })).toMatch(/has the bucket photos of its own/);
});

test("content of a vault outside is neither shown, written nor deleted, and a vault that joins gets the copies", async () => {
  const firstVault = new MemoryVault();
  const outside = new MemoryVault();
  await put(outside, BUCKETS, "photos");
  await put(outside, "photos", "a.jpg");
  let isMember = false;
  const shown = memberVault(outside, () => isMember);
  const markers = new BucketMarkers([firstVault, shown], (vault) => vault === 0 || isMember);
  const marker = { bucket: BUCKETS, bytes: new Uint8Array(0), etag: "e", contentType: "", metadata: {} };
  await markers.put({ ...marker, key: "films" }, NONE, how);
  await markers.put({ ...marker, key: "photos" }, NONE, how);
  await markers.delete("photos");
  await markers.repair(() => true);
  expect(outside.keysIn(BUCKETS)).toEqual(["photos"]);
  expect(outside.keysIn("photos")).toEqual(["a.jpg"]);
  const range = { prefix: "", after: "", keyCountMax: 10 };
  expect(await shown.list("photos", range)).toEqual({ uploads: [], isTruncated: false });
  expect(await shown.head("photos", "a.jpg")).toBeNull();
  await expect(shown.delete("photos", "a.jpg")).rejects.toThrow(VaultError);
  isMember = true;
  await markers.repair(() => true);
  expect(outside.keysIn(BUCKETS)).toContain("films");
});
