import { expect, test } from "vitest";
import { backupKey } from "./backup-key.ts";

const secret = "a secret of the tests, long enough to be taken for one";

test("a secret gives the same key and key id in every version", () => {
  const { keyId, key } = backupKey(secret);
  expect({ keyId, key: Buffer.from(key).toString("hex") }).toMatchInlineSnapshot(`
    {
      "key": "1ca464ecb41c048c35f6b1b6d97e171987f09a5285679574f61dddcd9b64ae8c",
      "keyId": "df026204eba1",
    }
  `);
});

test("another secret gives another key and key id", () => {
  const [one, other] = [backupKey(secret), backupKey(`${secret}!`)];
  expect(one.keyId).not.toBe(other.keyId);
  expect(Buffer.from(one.key).equals(Buffer.from(other.key))).toBe(false);
});
