import { expect, test } from "vitest";
import { decryptSecret, encryptSecret } from "./credential-encryption.ts";

const secret = "a secret of the tests, long enough to be taken for one";
const place = { table: "alert_channel", row: "1", column: "secret" };
const plain = "pass phrase with ünicode";

test("an encrypted value is read back, and looks different each time", () => {
  const [one, two] = [encryptSecret(secret, plain, place), encryptSecret(secret, plain, place)];
  expect(one).toMatch(/^v1\.[0-9a-f]{12}(\.[A-Za-z0-9_-]+){4}$/);
  expect(one).not.toBe(two);
  expect(one).not.toContain(Buffer.from(plain).toString("base64url"));
  expect([one, two].map((each) => decryptSecret(secret, each, place))).toEqual([plain, plain]);
});

test.each([
  ["in another row", { ...place, row: "2" }],
  ["in another column", { ...place, column: "config" }],
  ["in another table", { ...place, table: "endpoint" }],
])("an envelope does not open %s", (_, other) => {
  const envelope = encryptSecret(secret, plain, place);
  expect(() => decryptSecret(secret, envelope, other)).toThrow(/belongs to another row/);
});

test("any changed part is detected", () => {
  const parts = encryptSecret(secret, plain, place).split(".");
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? "";
    const changed = `${part.startsWith("A") ? "B" : "A"}${part.slice(1)}`;
    const envelope = parts.with(index, changed).join(".");
    expect(() => decryptSecret(secret, envelope, place)).toThrow(/cannot be read/);
  }
});

test("a different installation secret is not reported as damage", () => {
  const envelope = encryptSecret(secret, plain, place);
  expect(() => decryptSecret(`${secret}!`, envelope, place)).toThrow(/another secret of the installation/);
});
