import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import {
  loadVaultFile,
  provideKeys,
  readEncryptionKeys,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import type { AskAdmin, EncryptionPage, EncryptionRequest } from "@stashlight/node-runtime/durability";
import { beforeEach, expect, test } from "vitest";
import { parseCommand } from "../arguments.ts";
import { smallVault } from "../testing.ts";
import type { EncryptionCommand } from "./arguments.ts";
import { runEncryption } from "./run.ts";

const config = "/project/.stashlight/vault/vault.json";
const parse = (...args: string[]) =>
  parseCommand(["vault", "encryption", ...args], { projectDirectory: "/project", currentDirectory: "/here" });
const file = smallVault("photos", { podNodeCount: 1, stashNodeCount: 1 });
const command = { name: "encryption", config, isConfirmed: false };

test.each<[string[], object]>([
  [["show"], { ...command, action: { type: "show" } }],
  [["rotate", "--config", "v.json"], { ...command, config: "/here/v.json", action: { type: "rotate" } }],
  [["enable"], { ...command, action: { type: "enable", newBuckets: "AES256" } }],
  [["enable", "--new-buckets", "none"], { ...command, action: { type: "enable", newBuckets: "none" } }],
  [["drop-old-keys"], { ...command, action: { type: "drop-old-keys" } }],
  [
    ["destroy-key", "photos", "--yes"],
    { ...command, isConfirmed: true, action: { type: "destroy-key", bucket: "photos" } },
  ],
  [["--help"], { name: "help" }],
])("parses %j", (args, expected) => {
  expect(parse(...args)).toEqual(expected);
});

test.each([
  [[], "Choose one of show, enable"],
  [["remove"], '"remove" is not one of them'],
  [["show", "photos"], 'Unexpected argument "photos"'],
  [["enable", "--new-buckets", "aws:kms"], "must be AES256 or none"],
  [["destroy-key"], "needs a bucket"],
  [["destroy-key", "A"], "3 to 63"],
])("refuses %j: %s", (args, sentence) => {
  expect(() => parse(...args)).toThrow(sentence);
});

const folder = useTestFolder();
const path = join(folder, "vault.json");
const keyFile = join(folder, "encryption.key");
const said: string[] = [];
beforeEach(() => {
  writeVaultFile(path, file);
  provideKeys(path, { areAllHere: true });
  said.length = 0;
});

/** A coordinator that has read the key file, with buckets wrapped by these versions. */
function coordinator(wrappedBy: number[], { isBehind = false } = {}) {
  const requests: EncryptionRequest[] = [];
  const keys = () =>
    readEncryptionKeys(keyFile, file.clusterId).map(({ version, createdAt }) => ({ version, createdAt }));
  const seen = isBehind ? keys() : null;
  const ask: AskAdmin = async (_node, _page, { post }) => {
    if (post !== undefined) {
      requests.push(post as EncryptionRequest);
      const changedCount = wrappedBy.length;
      wrappedBy.fill(keys().at(-1)?.version ?? 0);
      return { type: "answered", status: 200, body: { changedCount } };
    }
    const byVersion = [...new Set(wrappedBy)].map((version) => ({
      version,
      count: wrappedBy.filter((each) => each === version).length,
    }));
    const page: EncryptionPage = {
      problem: null,
      encryptsNewBuckets: true,
      versions: seen ?? keys(),
      buckets: { total: wrappedBy.length, encryptedByDefault: wrappedBy.length, byVersion, destroyed: 0 },
    };
    return { type: "answered", status: 200, body: page };
  };
  return { ask, requests };
}

const run = (
  action: EncryptionCommand["action"],
  { ask }: Partial<{ ask: AskAdmin }> = {},
  isConfirmed = false,
) =>
  runEncryption(
    { name: "encryption", config: path, action, isConfirmed },
    { say: (line) => said.push(line), confirm: null, nowMs: () => 0, ...(ask && { ask }) },
  );
const enable = { type: "enable", newBuckets: "AES256" } as const;
const versions = () => readEncryptionKeys(keyFile, file.clusterId).map(({ version }) => version);

test("enable creates a key that only its owner may read, names it in the vault's file, and never replaces it", async () => {
  expect(await run(enable)).toBe(0);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(loadVaultFile(path).encryption).toEqual({ keyFile, newBuckets: "AES256" });
  const before = readFileSync(keyFile, "utf8");
  await expect(run(enable)).rejects.toThrow("already names an encryption key");
  expect(readFileSync(keyFile, "utf8")).toBe(before);
});

test("enable continues with the key of a killed call", async () => {
  await run(enable);
  const before = readFileSync(keyFile, "utf8");
  writeVaultFile(path, file);
  expect(await run(enable)).toBe(0);
  expect(readFileSync(keyFile, "utf8")).toBe(before);
});

test("rotate adds a version and wraps the keys with it, after which old versions can be dropped", async () => {
  await run(enable);
  const { ask, requests } = coordinator([1, 1]);
  expect(await run({ type: "rotate" }, { ask })).toBe(0);
  expect(versions()).toEqual([1, 2]);
  expect(requests.map(({ action }) => action.type)).toEqual(["rewrap"]);
  expect(await run({ type: "drop-old-keys" }, { ask })).toBe(0);
  expect(versions()).toEqual([2]);
});

test("rotate resumes an interrupted rotation, and adds no further version", async () => {
  await run(enable);
  const { ask } = coordinator([1, 2]);
  await run({ type: "rotate" }, coordinator([1, 1], { isBehind: true }));
  expect(versions()).toEqual([1, 2]);
  expect(said.join("\n")).toMatch(/do not have version 2 yet/);
  expect(await run({ type: "drop-old-keys" }, { ask })).toBe(0);
  expect(versions()).toEqual([1, 2]);
  expect(await run({ type: "rotate" }, { ask })).toBe(0);
  expect(said.join("\n")).toMatch(/The rotation to version 2 continues/);
  expect(versions()).toEqual([1, 2]);
});

test("destroy-key changes nothing without a confirmation", async () => {
  await run(enable);
  const { ask, requests } = coordinator([1]);
  const action = { type: "destroy-key", bucket: "photos" } as const;
  await expect(run(action, { ask })).rejects.toThrow("needs a terminal");
  expect(requests).toEqual([]);
  expect(await run(action, { ask }, true)).toBe(0);
  expect(requests.map((request) => request.action)).toEqual([{ type: "destroy", bucket: "photos" }]);
});

test.each([
  [404, "The bucket does not exist.", /^The bucket does not exist\.$/],
  [405, "Only GET and HEAD are answered here.\n", /of a version that encrypts nothing; update it/],
])("destroy-key reports the reason of a refusal with %i", async (status, body, sentence) => {
  const ask: AskAdmin = async () => ({ type: "answered", status, body });
  await expect(run({ type: "destroy-key", bucket: "photos" }, { ask }, true)).rejects.toThrow(sentence);
});

test("show reports versions and buckets, and fails where the key is not available", async () => {
  await run(enable);
  said.length = 0;
  const { ask } = coordinator([1, 1]);
  expect(await run({ type: "show" }, { ask })).toBe(0);
  expect(said.join("\n")).toMatch(
    /2 of 2 buckets encrypted by default; new buckets are encrypted\.\s+version 1 of 1970-01-01 wraps the keys of 2 buckets/,
  );
  const broken: AskAdmin = async (...asked) => {
    const answer = await ask(...asked);
    return answer.type === "answered"
      ? { ...answer, body: { ...(answer.body as object), problem: "It is gone." } }
      : answer;
  };
  expect(await run({ type: "show" }, { ask: broken })).toBe(1);
  await expect(run({ type: "rotate" }, { ask: broken })).rejects.toThrow("It is gone.");
  expect(versions()).toEqual([1]);
});
