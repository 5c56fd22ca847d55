import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import {
  newBucketKey,
  parseWrappedKey,
  unwrapBucketKey,
  type WrappedKey,
  wrapBucketKey,
} from "./wrapped-key.ts";

const bytes = (first: number) => Buffer.from(Array.from({ length: 32 }, (_, at) => first + at));
const vaultKey = { version: 3, key: createSecretKey(bytes(0)) };
const place = { clusterId: "ab".repeat(16), bucket: "photos" };
const parsed = (text: string) => parseWrappedKey(text) as WrappedKey;

test("a wrapped key names the version of the vault's key, opens to the same key and does not reveal it", () => {
  const key = newBucketKey();
  const text = wrapBucketKey(key, place, vaultKey);
  expect(parsed(text)).toMatchObject({ vaultKeyVersion: 3, id: key.id });
  expect(unwrapBucketKey(parsed(text), place, vaultKey.key)?.key.equals(key.key)).toBe(true);
  expect(text).not.toContain(key.key.export().toString("base64url").slice(0, 12));
});

/** The wrapped text comes from another implementation (cryptography 50.0.2 for Python) of the documented format. */
test("a wrapped key is opened as the format specifies", () => {
  const wrapped = "AAAAAAAAAAAAAAAALp2X_ZEJpZoggYMeNAG_tuJyZGActFYYuKeJuPnCY2lOaE5Hg7D1ySFo8G3-abfN";
  const opened = unwrapBucketKey(parsed(`1 3 0a0b0c0d ${wrapped}`), place, vaultKey.key);
  expect(opened?.key.export()).toEqual(bytes(32));
});

const text = wrapBucketKey(newBucketKey(), place, vaultKey);
test.each<[string, () => unknown]>([
  ["another vault key", () => unwrapBucketKey(parsed(text), place, createSecretKey(bytes(1)))],
  [
    "the marker of another bucket",
    () => unwrapBucketKey(parsed(text), { ...place, bucket: "other" }, vaultKey.key),
  ],
  [
    "another vault",
    () => unwrapBucketKey(parsed(text), { ...place, clusterId: "cd".repeat(16) }, vaultKey.key),
  ],
  ["another id", () => unwrapBucketKey({ ...parsed(text), id: "00000000" }, place, vaultKey.key)],
])("%s does not open a wrapped key", (_, unwrap) => {
  expect(unwrap()).toBeNull();
});

test.each(["", "1", "2 3 0a0b0c0d AAAA", `${text}A`, text.replace("1 3", "1 x")])(
  "%j is not a wrapped key",
  (other) => {
    expect(parseWrappedKey(other)).toBeNull();
  },
);
