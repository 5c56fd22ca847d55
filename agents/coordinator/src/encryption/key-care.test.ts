import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import {
  addEncryptionKey,
  createEncryptionKeys,
  dropEncryptionKeys,
  newEncryptionKeys,
} from "@stashlight/node-runtime/config";
import { beforeEach, expect, test } from "vitest";
import { packMarker } from "../records/bucket-marker.ts";
import { BUCKETS } from "../records/bucket-records.ts";
import { MemoryVault } from "../space/testing/memory-vault.ts";
import { VaultError } from "../vault/errors.ts";
import { allMarkers, BucketKeys } from "./bucket-keys.ts";
import { destroyKey, findProblem, rewrapKeys, surveyKeys } from "./key-care.ts";
import { VaultKeyring } from "./vault-keyring.ts";

const clusterId = "ab".repeat(16);
const BUCKET_COUNT = 5;
const folder = useTestFolder();
const keyFile = join(folder, "encryption.key");
let vault: MemoryVault;
let nowMs = 0;

const open = () => {
  const keyring = new VaultKeyring({
    file: { clusterId, encryption: { keyFile, newBuckets: "AES256" } },
    nowMs: () => nowMs,
  });
  return { keyring, keys: new BucketKeys({ vault, keyring }) };
};

beforeEach(async () => {
  vault = new MemoryVault();
  createEncryptionKeys(keyFile, clusterId, 0);
  const { keys } = open();
  for (let at = 0; at < BUCKET_COUNT; at += 1) {
    const name = `bucket-${at}`;
    const marker = packMarker({
      name,
      id: name,
      owner: "ada",
      createdMs: null,
      ...(await keys.forNewBucket(name)),
    });
    await vault.put(marker, { type: "absent" }, { requestId: null });
  }
});

async function bucketKeys(): Promise<string[]> {
  const { keys } = open();
  const found: string[] = [];
  for await (const marker of allMarkers(vault)) found.push(keys.unwrap(marker).key.export().toString("hex"));
  return found;
}

const versions = async () => (await surveyKeys(vault, open().keyring)).buckets.byVersion;

test("a rotation keeps every bucket's key and owner, and then no bucket needs the old version", async () => {
  const before = await bucketKeys();
  addEncryptionKey(keyFile, clusterId, 0);
  expect(await rewrapKeys(vault, open().keyring)).toBe(BUCKET_COUNT);
  expect(await versions()).toEqual([{ version: 2, count: BUCKET_COUNT }]);
  dropEncryptionKeys(keyFile, clusterId, new Set());
  expect(await bucketKeys()).toEqual(before);
  for await (const { owner, isEncrypted } of allMarkers(vault))
    expect([owner, isEncrypted]).toEqual(["ada", true]);
  expect(await rewrapKeys(vault, open().keyring)).toBe(0);
});

test.each(Array.from({ length: BUCKET_COUNT }, (_, at) => at))(
  "a rotation killed after %i buckets leaves all readable, and the next one completes it",
  async (doneCount) => {
    const before = await bucketKeys();
    addEncryptionKey(keyFile, clusterId, 0);
    let count = 0;
    vault.before = (verb, bucket) => {
      if (verb === "put" && bucket === BUCKETS && ++count > doneCount) throw new VaultError("unavailable");
    };
    await expect(rewrapKeys(vault, open().keyring)).rejects.toMatchObject({ code: "unavailable" });
    vault.before = () => {};
    expect(await bucketKeys()).toEqual(before);
    expect(await findProblem(vault, open().keyring)).toBeNull();
    expect(await rewrapKeys(vault, open().keyring)).toBe(BUCKET_COUNT - doneCount);
    expect(await bucketKeys()).toEqual(before);
    expect(await versions()).toEqual([{ version: 2, count: BUCKET_COUNT }]);
  },
);

test("an old copy of the key file is not used to wrap a new key", async () => {
  const older = readFileSync(keyFile);
  addEncryptionKey(keyFile, clusterId, 0);
  await rewrapKeys(vault, open().keyring);
  const right = readFileSync(keyFile);
  writeFileSync(keyFile, older);
  await expect(open().keys.forNewBucket("new")).rejects.toMatchObject({
    code: "ServiceUnavailable",
    cause: {
      message: expect.stringMatching(/older copy: its newest version is 1, and the bucket \S+ needs 2/),
    },
  });
  writeFileSync(keyFile, right);
  expect((await open().keys.forNewBucket("new")).wrappedKey).not.toBeNull();
});

test("two concurrent rotations keep every bucket's key", async () => {
  const before = await bucketKeys();
  addEncryptionKey(keyFile, clusterId, 0);
  const counts = await Promise.all([rewrapKeys(vault, open().keyring), rewrapKeys(vault, open().keyring)]);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(BUCKET_COUNT);
  expect(await bucketKeys()).toEqual(before);
});

test("a bucket deleted during a rotation does not stop it", async () => {
  addEncryptionKey(keyFile, clusterId, 0);
  let isDeleted = false;
  vault.before = async (verb, bucket, key) => {
    if (verb !== "head" || bucket !== BUCKETS || key !== "bucket-2" || isDeleted) return;
    isDeleted = true;
    await vault.delete(BUCKETS, key);
  };
  await rewrapKeys(vault, open().keyring);
  expect(await versions()).toEqual([{ version: 2, count: BUCKET_COUNT - 1 }]);
});

test.each<[string, () => void, RegExp]>([
  ["is missing", () => rmSync(keyFile), /is missing/],
  [
    "has another key",
    () => writeFileSync(keyFile, newEncryptionKeys(clusterId, 0), { mode: 0o600 }),
    /Version 1 .* does not open the key of the bucket bucket-0/,
  ],
  [
    "lacks a version that a bucket needs",
    () => {
      addEncryptionKey(keyFile, clusterId, 0);
      dropEncryptionKeys(keyFile, clusterId, new Set());
    },
    /Version 1 .* is missing/,
  ],
])("a key file that %s is reported as a problem, and no key is rewrapped", async (_, spoil, sentence) => {
  expect(await findProblem(vault, open().keyring)).toBeNull();
  spoil();
  const { keyring } = open();
  const state = keyring.state();
  expect(state.type === "lost" ? state.sentence : await findProblem(vault, keyring)).toMatch(sentence);
  const markers = JSON.stringify(await vault.list(BUCKETS, { prefix: "", after: "", keyCountMax: 100 }));
  await rewrapKeys(vault, keyring).catch(() => {});
  expect(JSON.stringify(await vault.list(BUCKETS, { prefix: "", after: "", keyCountMax: 100 }))).toBe(
    markers,
  );
});

test("encrypted buckets without a key entry are reported, and a vault without encrypted buckets is not", async () => {
  const without = new VaultKeyring({ file: { clusterId }, nowMs: () => nowMs });
  expect(await findProblem(vault, without)).toMatch(/names no encryption key, and 5 of its buckets/);
  expect(await findProblem(new MemoryVault(), without)).toBeNull();
});

test("a coordinator notices a changed key file within a second", () => {
  const { keyring } = open();
  expect(keyring.newest().version).toBe(1);
  addEncryptionKey(keyFile, clusterId, 0);
  nowMs += 1000;
  expect(keyring.newest().version).toBe(2);
  rmSync(keyFile);
  nowMs += 1000;
  expect(keyring.state().type).toBe("lost");
});

test("a destroyed key opens nothing, stays destroyed after a rotation, and affects no other key", async () => {
  expect(await destroyKey(vault, "bucket-1")).toBe(1);
  expect(await destroyKey(vault, "bucket-1")).toBe(0);
  addEncryptionKey(keyFile, clusterId, 0);
  expect(await rewrapKeys(vault, open().keyring)).toBe(BUCKET_COUNT - 1);
  const { keys, keyring } = open();
  for await (const marker of allMarkers(vault)) {
    if (marker.name !== "bucket-1") keys.unwrap(marker);
    else {
      expect(() => keys.unwrap(marker)).toThrow(/was destroyed/);
      await expect(keys.provide(marker, "R")).rejects.toMatchObject({ code: "AccessDenied" });
    }
  }
  expect(await findProblem(vault, keyring)).toBeNull();
  expect((await surveyKeys(vault, keyring)).buckets.destroyed).toBe(1);
  await expect(destroyKey(vault, "none")).rejects.toMatchObject({ code: "NoSuchBucket" });
});
