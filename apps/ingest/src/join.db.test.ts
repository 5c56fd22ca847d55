/** A machine joins a vault with its bundle and enrols at a real ingest, however often it is killed on the way. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEnrolmentTokenInput } from "@stashlight/contracts/node";
import { createEnrolmentToken } from "@stashlight/services/node";
import { bundlePath, createVault, readLayout } from "@stashlight/vault-setup";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTestIngest, type TestIngest } from "./testing/harness.ts";

/** Each step starts a process. */
vi.setConfig({ testTimeout: 240_000 });

const program = join(import.meta.dirname, "testing/join-killed.ts");
/** Steps between the files of the bundle, all of which the next join writes again. */
const STEPS_AMID_FILES = [4, 8, 12];
/** Step of the last file, which names the machine; a join after it continues with the remaining steps. */
const STEP_OF_MACHINE_FILE = 17;

let ingest: TestIngest;
let root: string;

beforeEach(async () => {
  ingest = await openTestIngest();
  root = mkdtempSync(join(tmpdir(), "stashlight-join-"));
});
afterEach(async () => {
  await ingest.close();
  rmSync(root, { recursive: true, force: true });
});

async function createTestVault(): Promise<void> {
  const token = async (role: "pod" | "stash"): Promise<string> => {
    const terms = { vault: "photos", role, isAutoApproved: true, useCountMax: 1 };
    const input = createEnrolmentTokenInput.parse(terms);
    return (await createEnrolmentToken({ ctx: ingest.admin.ctx, input })).token;
  };
  const free = createServer().listen(0, "127.0.0.2");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  free.close();
  const drives = ["hdd0", "hdd1", "ssd0"].map((name) => join(root, "drives", name));
  for (const drive of drives) mkdirSync(drive, { recursive: true });
  const layout = {
    vault: "photos",
    scheme: "2+1",
    size: { pod: "64MiB", stash: "32MiB" },
    console: { ingest: ingest.origin, tokens: { pod: await token("pod"), stash: await token("stash") } },
    machines: [
      { name: "m1", address: "127.0.0.2", port, pods: drives.slice(0, 2), stash: drives.slice(2) },
      // An address that this test never connects to.
      { name: "m2", address: "127.0.0.3", coordinator: true, pods: ["/srv/hdd0"], stash: ["/srv/ssd0"] },
    ],
  };
  const file = join(root, "photos.yaml");
  // A layout is YAML, which includes JSON.
  writeFileSync(file, JSON.stringify(layout));
  await createVault(readLayout(file), join(root, "photos"), Date.now());
}

/** Joins; returns true if the process was killed before this step. */
async function joinUntil(step: number): Promise<boolean> {
  const args = [program, bundlePath(join(root, "photos"), "m1"), join(root, "m1"), String(step)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (piece) => {
    said += piece;
  });
  const [code, signal] = await once(child, "exit");
  if (signal !== "SIGKILL") expect({ step, code, said }).toEqual({ step, code: 0, said: expect.any(String) });
  return signal === "SIGKILL";
}

test("a machine that is killed at any step of its join can join with the same command, with one node of each name", async () => {
  await createTestVault();
  for (const step of [...STEPS_AMID_FILES, STEP_OF_MACHINE_FILE]) expect(await joinUntil(step)).toBe(true);
  expect(existsSync(join(root, "m1/machine.json"))).toBe(true);
  let step = 0;
  while (await joinUntil(step)) step += 1;
  // These are the machine's file, twice, and for each node its token, its key and the removal of its token.
  expect(step).toBeGreaterThan(5);
  const nodes = await ingest.installation.platform.db.node.findMany({ orderBy: { name: "asc" } });
  expect(nodes.map(({ name, vault, status }) => [name, vault, status])).toEqual([
    ["photos.m1.pod", "photos", "active"],
    ["photos.m1.stash", "photos", "active"],
  ]);
  const { formatted } = JSON.parse(readFileSync(join(root, "m1/machine.json"), "utf8"));
  expect(formatted).toHaveLength(3);
  // No half-written file stays, and a used token is removed.
  const left = readdirSync(join(root, "m1"), { recursive: true }).map(String);
  expect(left.filter((name) => /\.(next|token)$/.test(name))).toEqual([]);
  // A second join changes nothing.
  const before = left
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(root, "m1", name), "utf8"));
  expect(await joinUntil(1e9)).toBe(false);
  const after = left
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(root, "m1", name), "utf8"));
  expect(after).toEqual(before);
});
