/** An agent reports in one sentence what keeps it from starting, and changes nothing. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCrc32c } from "@stashlight/checksum";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AgentProcess } from "../harness/agent-process.ts";
import { createTestVault, startTestVault, type TestVault } from "../harness/vault.ts";

let vault: TestVault;
/** Has the same layout, but other ids and no volumes. */
let other: TestVault;

beforeAll(async () => {
  [vault, other] = await Promise.all([startTestVault(), createTestVault()]);
  expect(await vault.end(vault.nodeIds, "SIGTERM")).toEqual([0, 0, 0]);
}, 90_000);

afterAll(async () => {
  await Promise.all([vault.close(), other.close()]);
});

const REFUSED_WITHIN_MS = 20_000;

interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** Stops an agent that starts nevertheless; its exit code then differs from that of a refusal. */
async function awaitRefusal(args: readonly string[]): Promise<Refusal> {
  const agent = new AgentProcess({ args, isSupervised: false });
  const tired = setTimeout(() => void agent.end("SIGTERM"), REFUSED_WITHIN_MS);
  const code = await agent.exitCode();
  clearTimeout(tired);
  return { code, text: agent.errorOutput };
}

function expectSentence({ code, text }: Refusal, exitCode: number, words: readonly string[]): void {
  expect({ code, text }).toMatchObject({ code: exitCode, text: expect.stringMatching(/^[^\n]+\.\n$/) });
  for (const word of words) expect(text).toContain(word);
}

/** Writes a changed copy of the vault's file under another name. */
function writeFileLike(name: string, text: string): string {
  const path = join(vault.folder, name);
  writeFileSync(path, text);
  return path;
}

const fileWith = (change: (file: VaultFile) => object): string =>
  JSON.stringify(change(structuredClone(vault.file)));

test.each<[string, () => string, readonly string[]]>([
  ["that is missing", () => join(vault.folder, "none.json"), ["none.json", "ENOENT"]],
  ["that is not JSON", () => writeFileLike("torn.json", "{"), ["torn.json", "JSON"]],
  [
    "that lacks a pod",
    () =>
      writeFileLike(
        "pods.json",
        fileWith((file) => ({ ...file, nodes: file.nodes.slice(0, -4) })),
      ),
    ["pods.json"],
  ],
  [
    "with an invalid port",
    () =>
      writeFileLike(
        "port.json",
        fileWith((file) => ({ ...file, nodes: file.nodes.map((node) => ({ ...node, port: 70_000 })) })),
      ),
    ["nodes[0].port"],
  ],
])("a vault file %s is refused with a one-line reason", async (_, path, words) => {
  expectSentence(await awaitRefusal(["--config", path(), "--node", "pod-1"]), 2, words);
});

test.each<[string, (config: string) => string[], readonly string[]]>([
  ["no vault file", () => ["--node", "pod-1"], ["--config"]],
  ["no node", (config) => ["--config", config], ["--node"]],
  ["an unknown node", (config) => ["--config", config, "--node", "pod-9"], ["pod-9", "pod-1"]],
  ["an unknown option", (config) => ["--config", config, "--loud"], ["--loud"]],
])("a command line with %s is refused with a one-line reason", async (_, args, words) => {
  expectSentence(await awaitRefusal(args(vault.configPath)), 2, words);
});

test("a drive without a volume is refused, because its mount may be missing", async () => {
  const args = ["--config", other.configPath, "--node", "pod-1"];
  expectSentence(await awaitRefusal(args), 2, ["p0", join(other.folder, "pod-1/drive-0")]);
});

/** Uses the first pod's folder under the other vault's file, or as another node of this one. */
test.each<[string, () => { config: string; nodeId: string; folder: string }, string]>([
  [
    "another vault's",
    () => ({ config: other.configPath, nodeId: "pod-1", folder: join(other.folder, "pod-1/drive-0") }),
    "cluster",
  ],
  [
    "another pod's",
    () => ({ config: vault.configPath, nodeId: "pod-2", folder: join(vault.folder, "pod-2/drive-1") }),
    "device",
  ],
  [
    "a pod's instead of a stash device's",
    () => ({ config: vault.configPath, nodeId: "stash-1", folder: join(vault.folder, "stash-1/drive-0") }),
    "device",
  ],
])("a drive with %s data is refused, with and without --format, and left unchanged", async (_, at, word) => {
  const { config, nodeId, folder } = at();
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(vault.folder, "pod-1/drive-0"), folder, { recursive: true });
  const before = readFileSync(join(folder, "volume"));
  for (const more of [[], ["--format"]]) {
    const refusal = await awaitRefusal(["--config", config, "--node", nodeId, ...more]);
    expectSentence(refusal, 2, [folder, word]);
  }
  expect(readFileSync(join(folder, "volume")).equals(before)).toBe(true);
});

test("a volume of a later format is refused", async () => {
  const path = join(vault.folder, "stash-2/drive-1/volume");
  const bytes = readFileSync(path);
  const crc32c = createCrc32c();
  for (const page of [bytes.subarray(0, 4096), bytes.subarray(4096)]) {
    page.writeUInt32LE(page.readUInt32LE(12) + 1, 12);
    page.writeUInt32LE(crc32c(page.subarray(12)), 8);
  }
  writeFileSync(path, bytes);
  const args = ["--config", vault.configPath, "--node", "stash-2"];
  expectSentence(await awaitRefusal(args), 2, ["format"]);
});
