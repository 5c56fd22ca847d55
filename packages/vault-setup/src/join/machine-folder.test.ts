import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { loadVaultFile, type VaultFile } from "@stashlight/node-runtime/config";
import { beforeEach, expect, test } from "vitest";
import { BUNDLE_VAULT, type BundleContent, readBundle } from "../bundle/bundle.ts";
import { bundleMachine, bundlePath, createVault, type SetupFolder } from "../create.ts";
import { parseLayout } from "../layout/parse-layout.ts";
import {
  type MachineState,
  openMachine,
  readMachineState,
  vaultFileOfMachine,
  writeMachineFiles,
  writeMachineState,
} from "./machine-folder.ts";

const text = `vault: photos
scheme: 2+1
size: { pod: 64MiB, stash: 32MiB }
machines:
  - { name: front, address: 127.0.0.2, coordinator: true }
  - { name: m1, address: 127.0.0.3, pods: [/srv/hdd0, /srv/hdd1, /srv/hdd2], stash: [/srv/ssd0] }
`;
const nowMs = Date.parse("2026-11-24T12:00:00Z");
const KEY = "nodes/m1.pod/node.key";
const CERTIFICATE = "nodes/m1.pod/node.pem";

const parent = useTestFolder();
const folder = join(parent, "m1");
let setup: SetupFolder;
beforeEach(async () => {
  setup = await createVault(parseLayout(text, "photos.yaml"), join(parent, "photos"), nowMs);
});

async function makeBundle(): Promise<BundleContent> {
  await bundleMachine(setup, "m1", nowMs);
  return readBundle(bundlePath(setup.folder, "m1"));
}

const inEpoch = (content: BundleContent, epoch: number): BundleContent => {
  const file = JSON.parse(content.files[BUNDLE_VAULT] ?? "") as VaultFile;
  return { ...content, files: { ...content.files, [BUNDLE_VAULT]: JSON.stringify({ ...file, epoch }) } };
};
const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const filesIn = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

test("a machine gets every file of its bundle unchanged, and only their owner may read them", async () => {
  const bundle = await makeBundle();
  writeMachineFiles(folder, bundle);
  const paths = Object.keys(bundle.files);
  expect(filesIn().sort()).toEqual(paths.map((path) => join(folder, path)).sort());
  for (const path of paths) expect(read(path)).toBe(bundle.files[path]);
  expect(new Set(filesIn().map((path) => statSync(path).mode & 0o777))).toEqual(new Set([0o600]));
});

test.each([
  ["an older epoch", 3, 7, 7],
  ["the same epoch", 7, 7, 7],
  ["a later epoch", 8, 7, 8],
])("a bundle of %s never returns a machine to an earlier epoch", async (_, epoch, known, after) => {
  writeMachineFiles(folder, inEpoch(await makeBundle(), known));
  const bundle = inEpoch(await makeBundle(), epoch);
  writeMachineFiles(folder, bundle);
  expect(loadVaultFile(vaultFileOfMachine(folder)).epoch).toBe(after);
  // Keys and certificates always come from the bundle.
  expect([read(KEY), read(CERTIFICATE)]).toEqual([bundle.files[KEY], bundle.files[CERTIFICATE]]);
});

test("a certificate replaces the one in use only once its key is written", async () => {
  const before = await makeBundle();
  writeMachineFiles(folder, before);
  const bundle = await makeBundle();
  // Blocks the path of the new key's temporary file, so that writing the key fails.
  const obstacle = join(folder, `${KEY}.${process.pid}.partial`);
  mkdirSync(obstacle);
  writeFileSync(join(obstacle, "file"), "");
  expect(() => writeMachineFiles(folder, bundle)).toThrow();
  expect([read(KEY), read(CERTIFICATE)]).toEqual([before.files[KEY], before.files[CERTIFICATE]]);
  rmSync(obstacle, { recursive: true });
  writeMachineFiles(folder, bundle);
  expect([read(KEY), read(CERTIFICATE)]).toEqual([bundle.files[KEY], bundle.files[CERTIFICATE]]);
  expect(filesIn().filter((path) => path.endsWith(".next"))).toEqual([]);
});

const state: MachineState = {
  vault: "photos",
  clusterId: "0".repeat(32),
  machine: "m1",
  issuedAt: new Date(nowMs).toISOString(),
  formatted: ["0".repeat(32)],
};

test("a joined machine knows its own nodes and the formatted drives", async () => {
  expect(readMachineState(folder)).toBeNull();
  expect(() => openMachine(folder)).toThrow(`No machine has joined a vault in ${folder}`);
  writeMachineFiles(folder, await makeBundle());
  writeMachineState(folder, state);
  const machine = openMachine(folder);
  expect(machine.state).toEqual(state);
  expect(machine.nodes.map(({ id }) => id)).toEqual(["m1.pod", "m1.stash"]);
  // Clients' secrets stay on coordinators.
  expect(machine.file.accessKeys).toEqual([]);
});

test.each([
  ["text that is not JSON", "{"],
  ["a member of the wrong type", JSON.stringify({ ...state, formatted: "all" })],
  ["unknown members", JSON.stringify({ ...state, more: 1 })],
])("a state file with %s is refused", (_, stored) => {
  mkdirSync(folder);
  writeFileSync(join(folder, "machine.json"), stored);
  expect(() => readMachineState(folder)).toThrow("remove it and join again");
});
