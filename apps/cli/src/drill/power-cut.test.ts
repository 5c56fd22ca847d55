/** Runs the commands against a small vault of real processes and drives. */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { LoadCommand } from "../load/arguments.ts";
import { openJournal } from "../load/journal.ts";
import { runLoad } from "../load/run-load.ts";
import type { Screen } from "../screen.ts";
import { readStatus } from "../status/status.ts";
import { openVault } from "../vault/access.ts";
import { runVerify } from "../verify/verify.ts";
import { Agents } from "./agents.ts";
import { runPowerCutDrill } from "./power-cut.ts";
import { createTemporaryVault, type VaultShape } from "./temporary-vault.ts";

const MIB = 1_048_576;
const LONG_MS = 120_000;
const projectDirectory = resolve(import.meta.dirname, "../../../..");

const shape: VaultShape = {
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  podNodeCount: 1,
  stashNodeCount: 3,
  drivesPerStashNode: 1,
  podVolume: { segmentBytes: MIB, segmentCount: 32 },
  stashVolume: { segmentBytes: MIB, segmentCount: 5 },
  pieceBytes: MIB,
  drives: "drill",
};

const folder = useSharedFolder();
let config = "";
let agents: Agents;

beforeAll(async () => {
  config = (await createTemporaryVault(folder, shape)).config;
  const vault = openVault(config);
  agents = new Agents({ projectDirectory, vault, logFolder: join(folder, "logs"), mayFormat: true });
  await agents.start();
}, LONG_MS);
afterAll(async () => {
  await agents.stop();
}, LONG_MS);

function recordingScreen(): { lines: string[]; screen: Screen } {
  const lines: string[] = [];
  return { lines, screen: { say: (line) => void lines.push(line), draw: () => undefined } };
}

const load = (difference: Partial<LoadCommand>): LoadCommand => ({
  name: "load",
  config,
  sizeBytes: 10_000,
  concurrency: 2,
  seconds: 1,
  uploadsPerSecond: null,
  bucket: "load",
  journal: null,
  isKept: false,
  ...difference,
});

const never = new AbortController().signal;

test(
  "the status of a running vault reports no problems",
  async () => {
    // The vault accepts uploads before the last pod has settled.
    const report = await vi.waitFor(async () => {
      const found = await readStatus(config);
      expect(found).toMatchObject({ isReady: true, problems: [] });
      return found;
    }, LONG_MS);
    const drives = [...report.pods, ...report.stash];
    expect(drives.every(({ isWell, note }) => isWell && note === "drill drive")).toBe(true);
  },
  LONG_MS,
);

test(
  "a load reports its rates and leaves nothing behind; a kept one is verified against its journal",
  async () => {
    const { lines, screen } = recordingScreen();
    expect(await runLoad(load({ bucket: "short" }), screen, never)).toBe(0);
    expect(lines[0]).toMatch(
      /^[\d,]+ uploads of 9\.8 KiB in \d\.\d s, 2 at a time: [\d.]+ uploads\/s, [\d.]+ MB\/s\.$/,
    );
    const client = openVault(config).createClient(1);
    expect((await client.listPage("short")).objects).toEqual([]);
    client.close();

    const journal = join(folder, "journal");
    expect(await runLoad(load({ journal, isKept: true }), screen, never)).toBe(0);
    const verified = recordingScreen();
    const command = { name: "verify", config, journal, bucket: "load" } as const;
    expect(await runVerify(command, verified.screen)).toBe(0);
    expect(verified.lines[0]).toMatch(/^[\d,]+ objects checked: [\d,]+ right, 0 lost, 0 wrong\.$/);
    expect(verified.lines[1]).toMatch(/^Durable shards, of 3: /);

    const lie = openJournal(journal);
    lie.note({ type: "put", bucket: "load", key: "never-written", etag: "0".repeat(32) });
    lie.close();
    const caught = recordingScreen();
    expect(await runVerify(command, caught.screen)).toBe(1);
    expect(caught.lines).toContain("  lost: load/never-written: it was acknowledged and does not exist");
  },
  LONG_MS,
);

test(
  "verifies an object in pieces with its durable margin",
  async () => {
    const client = openVault(config).createClient(1);
    await client.ensureBucket("large");
    await client.putObject({ bucket: "large", key: "k", body: randomBytes(2 * MIB + 1) });
    // The pod that the upload did not wait for has its shards a little later.
    await vi.waitFor(async () => {
      const { lines, screen } = recordingScreen();
      const command = { name: "verify", config, journal: null, bucket: "large" } as const;
      expect(await runVerify(command, screen)).toBe(0);
      expect(lines).toEqual([
        "1 object checked: 1 right, 0 lost, 0 wrong.",
        "Durable shards, of 3: 3: 1 object.",
        "Least margin 1: large/k has 3 and needs 2.",
      ]);
    }, LONG_MS);
    client.close();
  },
  LONG_MS,
);

test(
  "a drill cuts the power under load, loses nothing, and cleans up after itself",
  async () => {
    const { lines, screen } = recordingScreen();
    const command = {
      name: "drill-power-cut",
      config: null,
      times: 1,
      sizeBytes: 5000,
      concurrency: 4,
    } as const;
    // Includes a second cut.
    const surroundings = {
      screen,
      interrupted: never,
      random: () => 0.2,
      shape,
      projectDirectory,
      parentFolder: folder,
    };
    const drills = readdirSync(folder).filter((name) => name.startsWith("drill-"));
    expect(await runPowerCutDrill(command, surroundings)).toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^Round 1 of 1: .* 2 power cuts, back in .*: [1-9][\d,]* right, 0 lost, 0 wrong/,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("drill-"))).toEqual(drills);
  },
  LONG_MS,
);
