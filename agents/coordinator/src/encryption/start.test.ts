import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { createEncryptionKeys } from "@stashlight/node-runtime/config";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packMarker } from "../records/bucket-marker.ts";
import { MemoryVault } from "../space/testing/memory-vault.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { BucketKeys } from "./bucket-keys.ts";
import { type EncryptionPart, startEncryption } from "./start.ts";
import { VaultKeyring } from "./vault-keyring.ts";

const clusterId = "ab".repeat(16);
const operator = { user: "ada", host: "desk" };
const silent = { error: () => {}, warn: () => {}, info: () => {} };
const folder = useTestFolder();
let vault: MemoryVault;
let part: EncryptionPart;

beforeEach(async () => {
  vault = new MemoryVault();
  const keyFile = join(folder, "encryption.key");
  createEncryptionKeys(keyFile, clusterId, 0);
  const keyring = new VaultKeyring({
    file: { clusterId, encryption: { keyFile, newBuckets: "AES256" } },
    nowMs: () => 0,
  });
  const key = await new BucketKeys({ vault, keyring }).forNewBucket("secret");
  for (const [name, each] of [
    ["secret", key],
    ["plain", { wrappedKey: null, isEncrypted: false }],
  ] as const) {
    const marker = packMarker({ name, id: name, owner: "ada", createdMs: null, ...each });
    await vault.put(marker, { type: "absent" }, { requestId: null });
  }
  const verbs = vault as unknown as VaultVerbs;
  part = startEncryption({ stateFolder: folder, logger: silent, endpoint: () => ({ verbs, keyring }) });
});
afterEach(() => {
  part.stop();
});

const act = (action: object) => {
  const [, perform] = part.actions[0] as (typeof part.actions)[number];
  assert(typeof perform === "function");
  return perform({ action, operator });
};

const auditLines = () =>
  readFileSync(join(folder, "audit.log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test.each([
  ["plain", 400, "refused: The bucket plain has no encryption key."],
  ["missing", 404, "refused: The bucket does not exist."],
])(
  "a refusal to destroy the key of the bucket %s is recorded in the audit log",
  async (bucket, status, result) => {
    await expect(act({ type: "destroy", bucket })).rejects.toMatchObject({ status });
    const facts = { action: "encryption.destroy", bucket, operator };
    expect(auditLines()).toMatchObject([
      { ...facts, result: "asked" },
      { ...facts, result },
    ]);
  },
);

test("the audit log distinguishes the destruction of a key from a repeated request", async () => {
  const destroy = { type: "destroy", bucket: "secret" };
  expect(await act(destroy)).toEqual({ changedCount: 1 });
  expect(await act(destroy)).toEqual({ changedCount: 0 });
  expect(auditLines().map(({ result }) => result)).toEqual([
    "asked",
    "done",
    "asked",
    "done: there was nothing to change",
  ]);
});

test("a request that fails in the vault is recorded in the audit log", async () => {
  vault.before = (verb) => {
    if (verb === "put") throw new VaultError("unavailable");
  };
  await expect(act({ type: "destroy", bucket: "secret" })).rejects.toMatchObject({ status: 503 });
  expect(auditLines().at(-1)?.result).toMatch(/^failed: ./);
});
