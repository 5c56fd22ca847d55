/** Builds the database client and the console, if their sources have changed. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  type Dirent,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fillCompileCache } from "./compile-cache.ts";
import { explainFileError, Failure } from "./failure.ts";
import { type Lock, takeLock } from "./lock.ts";
import { logSize, readLastLines } from "./log-files.ts";
import { createTimer } from "./time-left.ts";

export interface BuildOptions {
  projectDirectory: string;
  logFile: string;
  show(detail: string): void;
  /**
   * Programs that run on the result. They are loaded once after a build, so that no long-lived process has to compile
   * them.
   */
  entries: readonly string[];
  /** Called with the process, so that a stop can end it. */
  onSpawn(child: ChildProcess): void;
  /** Called as soon as everything except the console can run. */
  onServicesReady?(): void;
}

const sources = [
  "apps/console",
  "packages",
  "prisma",
  "package.json",
  "pnpm-lock.yaml",
  "tsconfig.base.json",
];
const buildIdFile = "apps/console/.next/BUILD_ID";
const ignoredNames = new Set(["node_modules", ".next", ".turbo", "generated", "testing", "next-env.d.ts"]);
const evidenceLineCount = 30;
const lockPollMs = 250;
const showEveryMs = 1000;
/** Duration of a build on two cores at 2.5 GHz, while everything else starts. */
const roughBuildMs = 40_000;

export async function buildIfNeeded(options: BuildOptions): Promise<string> {
  const { projectDirectory, onServicesReady } = options;
  const reuse = (result: string): string => {
    onServicesReady?.();
    return result;
  };
  if (isBuilt(projectDirectory)) return reuse("up to date");
  const lock = await takeBuildLock(options);
  try {
    if (isBuilt(projectDirectory)) return reuse("another start built it");
    await build(options, lock);
    return "built";
  } catch (error) {
    throw explainFileError(error, join(projectDirectory, "apps/console/.next"));
  } finally {
    lock.release();
  }
}

/**
 * Generates the database client first: it takes seconds, and most programs wait for nothing else. The console takes
 * most of a minute.
 */
async function build(options: BuildOptions, lock: Lock): Promise<void> {
  const { projectDirectory, show, entries, onSpawn, onServicesReady } = options;
  const fingerprint = sourceFingerprint(projectDirectory);
  // Removes the stamp, so that an interrupted build cannot pass for the previous one.
  rmSync(stampFile(projectDirectory), { force: true });
  show("generating the database client");
  await runTurbo(options, lock, ["generate", "--filter=@stashlight/db"], fingerprint);
  const servicesReady = fillCompileCache(entries, onSpawn).then(() => onServicesReady?.());
  await Promise.all([buildConsole(options, lock, fingerprint), servicesReady]);
  writeFileSync(stampFile(projectDirectory), fingerprint);
}

async function buildConsole(options: BuildOptions, lock: Lock, fingerprint: string): Promise<void> {
  const timer = createTimer(join(cacheFolder(options.projectDirectory), "stashlight-build.ms"), roughBuildMs);
  const show = () => options.show(`building the console, ${timer.describeTimeLeft()}`);
  show();
  const ticking = setInterval(show, showEveryMs);
  try {
    // Uses `--only`, without which turbo would write the client again while processes use it.
    await runTurbo(options, lock, ["build", "--only", "--filter=@stashlight/console"], fingerprint);
    timer.record();
  } finally {
    clearInterval(ticking);
  }
}

function stampFile(projectDirectory: string): string {
  return join(projectDirectory, "apps/console/.next/stashlight-sources");
}

const cacheFolder = (projectDirectory: string): string => join(projectDirectory, "node_modules/.cache");

function isBuilt(projectDirectory: string): boolean {
  const results = [buildIdFile, "packages/db/src/generated/client.ts"];
  if (!results.every((path) => existsSync(join(projectDirectory, path)))) return false;
  // An image contains build results and no build tools.
  if (!existsSync(join(projectDirectory, "node_modules/turbo"))) return true;
  const stamp = stampFile(projectDirectory);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sourceFingerprint(projectDirectory);
}

function sourceFingerprint(projectDirectory: string): string {
  const hash = createHash("sha256");
  const add = (path: string, entry: Dirent | undefined) => {
    if (entry && (ignoredNames.has(entry.name) || entry.name.includes(".test."))) return;
    const full = join(projectDirectory, path);
    if (entry?.isDirectory()) addFolder(path);
    else if (existsSync(full)) hash.update(`${path}\0`).update(readFileSync(full));
  };
  const addFolder = (path: string) => {
    const entries = readdirSync(join(projectDirectory, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
      add(`${path}/${entry.name}`, entry);
  };
  for (const source of sources) {
    source.includes(".") ? add(source, undefined) : addFolder(source);
  }
  return hash.digest("hex");
}

async function takeBuildLock({ projectDirectory, show }: BuildOptions): Promise<Lock> {
  const folder = cacheFolder(projectDirectory);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw explainFileError(error, folder);
  }
  for (;;) {
    const taken = takeLock(join(folder, "stashlight-build.lock"), "build");
    if ("lock" in taken) return taken.lock;
    show("waiting for another start that is building");
    await delay(lockPollMs);
  }
}

async function runTurbo(
  { projectDirectory, logFile, onSpawn }: BuildOptions,
  lock: Lock,
  task: readonly string[],
  fingerprint: string,
): Promise<void> {
  const logStartBytes = logSize(logFile);
  const log = openSync(logFile, "a", 0o600);
  const binFolders = ["tools/bin", "node_modules/.bin"].map((folder) => join(projectDirectory, folder));
  const args = ["run", ...task, "--no-color", "--output-logs=new-only"];
  const child = spawn(process.execPath, [join(projectDirectory, "node_modules/turbo/bin/turbo"), ...args], {
    cwd: projectDirectory,
    env: {
      ...process.env,
      PATH: [...binFolders, process.env.PATH ?? ""].join(delimiter),
      STASHLIGHT_BUILD_ID: fingerprint.slice(0, 16),
      // Skips Next's cache: it helps only later builds, and writing it takes a quarter of a first build's CPU time.
      STASHLIGHT_BUILD_CACHE: existsSync(join(projectDirectory, buildIdFile)) ? "on" : "off",
      NO_COLOR: "1",
      DO_NOT_TRACK: "1",
      TURBO_TELEMETRY_DISABLED: "1",
      TURBO_NO_UPDATE_NOTIFIER: "1",
      NEXT_TELEMETRY_DISABLED: "1",
      CHECKPOINT_DISABLE: "1",
    },
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  onSpawn(child);
  // A build outlives a killed start, and the next start waits for it instead of starting another one.
  if (child.pid !== undefined) lock.shareWith(child.pid);
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("exit", resolve);
  });
  if (code === 0) return;
  const evidence = readLastLines(logFile, logStartBytes, evidenceLineCount);
  if (evidence.some((line) => /ENOSPC|No space left on device/.test(line))) {
    throw new Failure(`The disk of ${projectDirectory} is full; free about 1 GB and start again.`);
  }
  throw new Failure(`The console could not be built; fix what the lines below report, and start again.`, {
    evidence,
  });
}
