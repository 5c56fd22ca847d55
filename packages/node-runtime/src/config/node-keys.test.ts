import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { publicKeyText } from "@stashlight/transport";
import { beforeEach, expect, test } from "vitest";
import { hashAdminToken } from "./admin-token.ts";
import { countPorts, createLocalVault } from "./create-local-vault.ts";
import { VaultFileError } from "./load-vault-file.ts";
import { nodeKeyPath, provideKeys, readNodeKeys } from "./node-keys.ts";
import type { VaultFile, VaultNode } from "./vault-file-schema.ts";
import { writeVaultFile } from "./write-vault-file.ts";

const layout = { podNodeCount: 2, stashNodeCount: 1 };
const volume = { segmentBytes: 1_048_576, segmentCount: 4 };

const folder = useTestFolder();
const path = join(folder, "vault.json");

beforeEach(() => {
  const file = createLocalVault({
    ...layout,
    name: "test",
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    drivesPerStashNode: 1,
    podVolume: volume,
    stashVolume: volume,
    pieceBytes: 1_048_576,
    ports: Array.from({ length: countPorts(layout) }, (_, i) => 20_000 + i),
  });
  writeFileSync(path, JSON.stringify(file));
});

const local = { areAllHere: true };

function findNode({ nodes }: VaultFile, id: string): VaultNode {
  return nodes.find((node) => node.id === id) as VaultNode;
}

test("a file of an earlier version gets a key per node and a token, and is otherwise unchanged", () => {
  const before = JSON.parse(readFileSync(path, "utf8"));
  const file = provideKeys(path, local);
  expect(new Set(file.nodes.map(({ publicKey }) => publicKey)).size).toBe(4);
  const { admin, nodes, ...rest } = JSON.parse(readFileSync(path, "utf8"));
  const { nodes: nodesBefore, ...restBefore } = before;
  expect(rest).toEqual(restBefore);
  expect(nodes.map(({ publicKey, ...node }: VaultNode) => node)).toEqual(nodesBefore);
  expect(admin.tokenFile).toBe("admin.token");
  const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
  expect(token).toMatch(/^sla_[A-Za-z0-9_-]{43}$/);
  expect(hashAdminToken(token).toString("hex")).toBe(admin.tokenSha256);
  for (const { publicKey, ...node } of file.nodes) {
    expect(publicKeyText(readNodeKeys(file, { ...node, publicKey } as VaultNode).own)).toBe(publicKey);
  }
});

test("only the owner may read the vault's file, a private key and the token", () => {
  chmodSync(path, 0o644);
  const { nodes } = provideKeys(path, local);
  const files = [path, join(folder, "admin.token"), ...nodes.map(nodeKeyPath)];
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual(files.map(() => 0o600));
  const named = [readFileSync(path, "utf8"), JSON.stringify(nodes)].join();
  const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
  expect(named).not.toContain(token);
  expect(named).not.toContain("PRIVATE KEY");
});

test("existing keys are kept, and the file is not rewritten", () => {
  provideKeys(path, local);
  const [text, { ino }] = [readFileSync(path, "utf8"), statSync(path)];
  provideKeys(path, local);
  expect([readFileSync(path, "utf8"), statSync(path).ino]).toEqual([text, ino]);
});

test("after a crash before the file was written, the next start uses the existing keys", () => {
  const before = readFileSync(path, "utf8");
  const first = provideKeys(path, local);
  writeFileSync(path, before);
  expect(provideKeys(path, local)).toEqual(first);
});

test("a missing key or token is replaced only if all nodes are on this machine", () => {
  const first = provideKeys(path, local);
  const [lost, kept] = [findNode(first, "pod-1"), findNode(first, "pod-2")];
  rmSync(dirname(nodeKeyPath(lost)), { recursive: true });
  rmSync(join(folder, "admin.token"));
  expect(provideKeys(path, { areAllHere: false })).toEqual(first);
  const second = provideKeys(path, local);
  expect(findNode(second, "pod-1").publicKey).not.toBe(lost.publicKey);
  expect(findNode(second, "pod-2").publicKey).toBe(kept.publicKey);
  expect(second.admin?.tokenSha256).toMatch(/^[0-9a-f]{64}$/);
  expect(second.admin?.tokenSha256).not.toBe(first.admin?.tokenSha256);
});

test("a node that joins a vault gets a key, and the other keys are kept", () => {
  const first = provideKeys(path, local);
  const file = JSON.parse(readFileSync(path, "utf8")) as VaultFile;
  const { publicKey: _, ...joined } = findNode(file, "pod-1");
  writeVaultFile(path, {
    ...file,
    nodes: file.nodes.map((node) => (node.id === "pod-1" ? joined : node)),
  } as VaultFile);
  rmSync(nodeKeyPath(findNode(first, "pod-1")));
  const second = provideKeys(path, { areAllHere: false });
  const changed = second.nodes.filter(({ id, publicKey }) => findNode(first, id).publicKey !== publicKey);
  expect(changed.map(({ id }) => id)).toEqual(["pod-1"]);
});

const withKeyFile = (change: (path: string, file: VaultFile) => void) => (file: VaultFile) => {
  change(nodeKeyPath(findNode(file, "pod-1")), file);
  return file;
};

const spoilt: [string, (file: VaultFile) => VaultFile, RegExp][] = [
  [
    "is missing",
    withKeyFile((keyFile) => rmSync(keyFile)),
    /node\.key of the node pod-1 cannot be used: ENOENT/,
  ],
  [
    "is malformed",
    withKeyFile((keyFile) => writeFileSync(keyFile, "x")),
    /node\.key of the node pod-1 cannot be used/,
  ],
  ["others may read", withKeyFile((keyFile) => chmodSync(keyFile, 0o640)), /chmod 600/],
  [
    "belongs to another node",
    withKeyFile((keyFile, file) =>
      writeFileSync(keyFile, readFileSync(nodeKeyPath(findNode(file, "pod-2")))),
    ),
    /is not the one that the vault's file names for the node pod-1/,
  ],
  [
    "has no public half in the file",
    (file) => ({
      ...file,
      nodes: file.nodes.map((node) => (node.id === "pod-1" ? { ...node, publicKey: undefined } : node)),
    }),
    /vault keys --config FILE/,
  ],
];

test.each(spoilt)(
  "a node whose private key %s refuses to start and reports the reason",
  (_, spoil, words) => {
    const file = provideKeys(path, local);
    const changed = spoil(file);
    const start = () => readNodeKeys(changed, findNode(changed, "pod-1"));
    expect(start).toThrow(VaultFileError);
    expect(start).toThrow(words);
  },
);

test("a node knows only the keys in the file", () => {
  const file = provideKeys(path, local);
  const { publicKeyOf } = readNodeKeys(file, findNode(file, "pod-1"));
  const key = publicKeyOf("stash-1", null);
  expect(key === null ? null : publicKeyText(key)).toBe(findNode(file, "stash-1").publicKey);
  expect(publicKeyOf("stash-9", null)).toBeNull();
});
