import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import {
  deriveBodyKey,
  deriveEtag,
  deriveMetadataKey,
  deriveSizeMac,
  deriveVerifier,
  type KeySource,
  newSalt,
} from "./object-keys.ts";

const bytes = (first: number) => Buffer.from(Array.from({ length: 32 }, (_, at) => first + at));
const source: KeySource = {
  base: createSecretKey(bytes(0)),
  salt: "AAAAAAAAAAAAAAAAAAAAAA",
  name: { bucket: "photos", key: "ké" },
};
const hex = (key: ReturnType<typeof deriveBodyKey>) => key.export().toString("hex");

/** The expected keys come from another implementation of the documented derivation. */
test("keys are derived as the format specifies", () => {
  expect(hex(deriveBodyKey(source))).toBe("79d6c1c85364c53241723b059e56dfed4d29ffbde9fc45443f8fcc4c9f5fb1ac");
  expect(hex(deriveBodyKey(source, "0123"))).toBe(
    "c01a93ce635ba30e53cdc61f28bb838f9fac58c4fb8de043c35655cf270b9918",
  );
  expect(hex(deriveMetadataKey(source))).toBe(
    "d1c04882e9a059f9b7dc2f3bd2c9fdb4fa2670ef93391f63a8e2fee489a3a2fd",
  );
  expect(deriveVerifier(source)).toBe("YyAajEjhbS2GrcgmVgtzXg");
  expect(deriveSizeMac(source, { id: "0123", sizeBytes: 100, pieceBytes: 10 })).toBe(
    "reaJfBoLlRdbZ5_rz8ar0w",
  );
});

test.each<[string, KeySource]>([
  ["salt", { ...source, salt: newSalt() }],
  ["bucket", { ...source, name: { bucket: "photo", key: "s\0ké" } }],
  ["key", { ...source, name: { bucket: "photos", key: "k" } }],
  ["base key", { ...source, base: createSecretKey(bytes(1)) }],
])("a different %s leads to different keys", (_, other) => {
  expect(hex(deriveBodyKey(other))).not.toBe(hex(deriveBodyKey(source)));
  expect(deriveVerifier(other)).not.toBe(deriveVerifier(source));
});

test("an ETag is not the MD5, and changes with the body", () => {
  const md5 = "0cc175b9c0f1b6a831c399e269772661";
  expect(deriveEtag(source, md5)).toMatch(/^[0-9a-f]{32}$/);
  expect(
    new Set([md5, deriveEtag(source, md5), deriveEtag(source, "92eb5ffee6ae2fec3ad71c777531578f")]).size,
  ).toBe(3);
});
