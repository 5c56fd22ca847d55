/** Starts an installation while its console is still being built, with a build that waits for the test. */
import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type PartState, parseParts } from "@stashlight/contracts/health";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { buildIfNeeded } from "./build.ts";
import type { Failure } from "./failure.ts";
import { Installation } from "./installation.ts";
import { installationParts } from "./installation-parts.ts";
import type { Options } from "./options.ts";
import { partsFilePath } from "./parts-file.ts";
import { readProcessStart } from "./process-start.ts";
import { projectDirectory } from "./role/testing/role-processes.ts";
import { type BuildProject, createBuildProject } from "./testing/build-project.ts";
import { createOptions } from "./testing/killed-installation.ts";
import { writeSmallVault } from "./testing/small-vault.ts";
import { vaultFilePath } from "./vault/vault-folders.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });
const waitOptions = { timeout: 400_000, interval: 50 };

let project: BuildProject;
const dataDirectory = useSharedFolder();
let options: Options;
let output = "";
let running: Started | undefined;

beforeAll(async () => {
  project = createBuildProject();
  symlinkSync(join(projectDirectory, "agents"), join(project.directory, "agents"));
  options = await createOptions(dataDirectory);
  await writeSmallVault(vaultFilePath(dataDirectory), { ingestPort: options.ingestPort, segmentCount: 16 });
});
afterEach(async () => {
  await running?.installation.stop();
  for (const name of ["continue", "trouble"]) rmSync(join(project.directory, name), { force: true });
});
afterAll(() => {
  project.remove();
});

interface Started {
  readonly installation: Installation;
  readonly ended: ReturnType<Installation["run"]>;
}

function start(): Started {
  output = "";
  const standIn = join(import.meta.dirname, "testing/stand-in.ts");
  const parts = installationParts(projectDirectory);
  const installation = new Installation(options, {
    ...parts,
    projectDirectory: project.directory,
    console: { ...parts.console, entry: standIn, args: ["work", join(dataDirectory, "console.events")] },
    env: { PATH: process.env.PATH },
    terminal: {
      write: (text) => {
        output += text;
      },
    },
  });
  running = { installation, ended: installation.run() };
  return running;
}

const parts = (): PartState[] => parseParts(readFileSync(partsFilePath(dataDirectory), "utf8"))?.parts ?? [];
const labels = () => parts().map(({ name }) => name);

/** Waits for the start; rejects at once if the start ends instead. */
async function untilPrinted({ ended }: Started, text: string): Promise<void> {
  const printed = vi.waitFor(() => expect(output).toContain(text), waitOptions);
  const failed = ended.then((outcome) => {
    throw new Error(`The start ended before it printed "${text}":\n${output}`, { cause: outcome });
  });
  await Promise.race([printed, failed]);
}

/** Waits until everything except the console runs, and returns the process ids. */
async function untilServed(started: Started): Promise<number[]> {
  await untilPrinted(started, "Vault: 3 pods, 3 stash devices");
  expect(labels()).toEqual(expect.arrayContaining(["Database", "Worker", "Ingest", "Probe"]));
  expect(labels()).not.toContain("Console");
  expect(output).not.toContain("Press Ctrl-C to stop.");
  return parts().flatMap(({ pid }) => pid ?? []);
}

function expectNothingLeft(pids: readonly number[]): void {
  expect(pids.length).toBeGreaterThan(4);
  expect(pids.filter((pid) => readProcessStart(pid) !== undefined)).toEqual([]);
  const left = readdirSync(dataDirectory).filter((name) => /\.lock|parts\.json/.test(name));
  expect(left).toEqual([]);
}

test("a failed build ends a first start that already serves, and leaves no process", async () => {
  const failing = start();
  const pids = await untilServed(failing);
  project.write("trouble", "Module not found");
  project.write("continue", "");
  const { error } = (await failing.ended) as { error: Failure };
  await failing.installation.stop();
  expect(error.message).toContain("The console could not be built");
  expect(error.evidence).toContain("Module not found");
  expectNothingLeft(pids);
});

test("a stop during the build leaves no process", async () => {
  const stopped = start();
  const pids = await untilServed(stopped);
  expect(output).toContain("Migrations: up to date");
  await stopped.installation.stop();
  expect(await stopped.ended).toBe("stopped");
  expectNothingLeft(pids);
  expect(project.exists("apps/console/.next/BUILD_ID")).toBe(false);
});

test("an upgrade serves the vault while it builds, and opens the console afterwards", async () => {
  project.write("continue", "");
  await buildIfNeeded({
    projectDirectory: project.directory,
    logFile: join(project.directory, "build.log"),
    entries: [],
    show: () => {},
    onSpawn: () => {},
  });
  rmSync(join(project.directory, "continue"));
  project.write("apps/console/src/page.tsx", "changed");
  const upgraded = start();
  await untilServed(upgraded);
  project.write("continue", "");
  await untilPrinted(upgraded, "Press Ctrl-C to stop.");
  expect(parts().find(({ name }) => name === "Console")).toMatchObject({ isReady: true });
});
