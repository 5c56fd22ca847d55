import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { createNodeKey, publicKeyText, readNodeKey, readPublicKey } from "./node-key.ts";

test("a private key and the text of its public key survive a round trip", () => {
  const key = readNodeKey(createNodeKey());
  const text = publicKeyText(key);
  expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(publicKeyText(readPublicKey(text))).toBe(text);
  expect(publicKeyText(readNodeKey(createNodeKey()))).not.toBe(text);
});

test("another type of key, or a text that is not a key, is refused", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  expect(() => readNodeKey(pem)).toThrow("It is a key of the type ec");
  expect(() => readNodeKey("secret")).toThrow();
  expect(() => readPublicKey("AAAA")).toThrow();
});
