import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import {
  provideKeys,
  readRawVaultFile,
  type VaultFile,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { expect, test } from "vitest";
import { smallVault } from "../testing.ts";
import { modelledNote, openVault } from "./access.ts";

const file = smallVault("test", { podNodeCount: 3, stashNodeCount: 2 });
type AccessKey = VaultFile["accessKeys"][number];
const key = file.accessKeys[0] as AccessKey;

const folder = useTestFolder();

function vaultWith(...accessKeys: AccessKey[]): string {
  const path = join(folder, "vault.json");
  writeVaultFile(path, file);
  provideKeys(path, { areAllHere: true });
  writeVaultFile(path, { ...readRawVaultFile(path), accessKeys });
  return path;
}

const lesser = (changes: Partial<AccessKey>, id: string): AccessKey => ({ ...key, ...changes, id });
const others = [
  lesser({ permission: "read" }, "READONLYREADONLY0000"),
  lesser({ buckets: ["photos"] }, "ONEBUCKETONEBUCKET00"),
  lesser({ uploadPath: "direct" }, "DIRECTDIRECTDIRECT00"),
  lesser({ isDisabled: true }, "DISABLEDDISABLED0000"),
];

test("opens a vault with a key that may write to all buckets through the stash, anywhere in its list", () => {
  expect(openVault(vaultWith(...others, key)).endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test.each([
  ["no key at all", []],
  ["a key that only reads", others.slice(0, 1)],
  ["a key of one bucket", others.slice(1, 2)],
  ["a key that bypasses the stash", others.slice(2, 3)],
  ["a disabled key", others.slice(3)],
  ["all of these", others],
])("refuses a vault with %s", (_, accessKeys) => {
  const path = vaultWith(...accessKeys);
  expect(() => openVault(path)).toThrow("has no access key that may write to all buckets");
});

test("reports each model of modelled drives once, and nothing for others", () => {
  expect(modelledNote(file)).toBeNull();
  const nodes = file.nodes.map((node) => {
    if (node.role !== "pod") return node;
    const model = node.id === "pod-1" ? ("exos-x18" as const) : ("exos-x16" as const);
    return { ...node, drives: node.drives.map((drive) => ({ ...drive, model })) };
  });
  expect(modelledNote({ ...file, nodes } as VaultFile)).toBe(
    "Figures are modelled: drives behave as exos-x18, exos-x16.",
  );
});
