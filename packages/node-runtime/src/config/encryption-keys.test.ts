import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import {
  addEncryptionKey,
  createEncryptionKeys,
  dropEncryptionKeys,
  newEncryptionKeys,
  readEncryptionKeys,
} from "./encryption-keys.ts";

const clusterId = "ab".repeat(16);
const nowMs = Date.parse("2026-11-29T12:00:00Z");
const folder = useTestFolder();
const path = join(folder, "encryption.key");

const versions = () => readEncryptionKeys(path, clusterId).map(({ version }) => version);
const keyTexts = () => readEncryptionKeys(path, clusterId).map(({ key }) => key.export().toString("hex"));

test("a new file contains one 256-bit key that only its owner may read, and is never overwritten", () => {
  createEncryptionKeys(path, clusterId, nowMs);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readEncryptionKeys(path, clusterId)).toMatchObject([
    { version: 1, createdAt: "2026-11-29T12:00:00.000Z", key: { symmetricKeySize: 32 } },
  ]);
  const before = readFileSync(path, "utf8");
  expect(() => createEncryptionKeys(path, clusterId, nowMs)).toThrow("already");
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(newEncryptionKeys(clusterId, nowMs)).not.toBe(before);
});

test("adding a version leaves the earlier ones unchanged, and versions no longer needed can be removed", () => {
  createEncryptionKeys(path, clusterId, nowMs);
  const [first] = keyTexts();
  expect(addEncryptionKey(path, clusterId, nowMs)).toBe(2);
  expect(addEncryptionKey(path, clusterId, nowMs)).toBe(3);
  expect(versions()).toEqual([1, 2, 3]);
  expect(keyTexts()[0]).toBe(first);
  expect(new Set(keyTexts()).size).toBe(3);
  expect(dropEncryptionKeys(path, clusterId, new Set([1]))).toEqual([2]);
  expect(versions()).toEqual([1, 3]);
  // The newest version is always kept, and no version number is reused.
  expect(dropEncryptionKeys(path, clusterId, new Set())).toEqual([1]);
  expect(versions()).toEqual([3]);
  expect(addEncryptionKey(path, clusterId, nowMs)).toBe(4);
});

test.each<[string, () => void, string]>([
  ["missing", () => rmSync(path), "is missing"],
  ["readable by others", () => chmodSync(path, 0o640), "chmod 600"],
  ["cut off", () => writeFileSync(path, readFileSync(path, "utf8").slice(0, 60)), "is damaged"],
  ["empty", () => writeFileSync(path, ""), "is damaged"],
  ["of another vault", () => writeFileSync(path, newEncryptionKeys("cd".repeat(16), nowMs)), "another vault"],
  [
    "without a key",
    () => writeFileSync(path, readFileSync(path, "utf8").replace(/"keys": [^$]*$/, '"keys": []')),
    "is damaged",
  ],
])("a file that is %s is refused with an explanation", (_, spoil, sentence) => {
  createEncryptionKeys(path, clusterId, nowMs);
  spoil();
  expect(() => readEncryptionKeys(path, clusterId)).toThrow(sentence);
  expect(() => addEncryptionKey(path, clusterId, nowMs)).toThrow(sentence);
});
