/**
 * `node tools/bootstrap.mjs FILE.ts [arguments]`: from a bare machine with any Node >= 20 to FILE.ts running under
 * the project's own Node 24. Installs the dependencies when they are missing or out of date. With `--prepare` before
 * FILE.ts it stops short of running it. Plain JavaScript without dependencies, because it runs before there are any.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isAlive, watchNpm } from "./npm-parent.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const stampFile = join(modules, ".stashlight-installed");
const lockFile = join(modules, ".stashlight-install.lock");
const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A failure that is reported in one sentence. */
class Refusal extends Error {}

async function main() {
  const isPreparing = process.argv[2] === "--prepare";
  const [file, ...args] = process.argv.slice(isPreparing ? 3 : 2);
  const majorVersion = Number.parseInt(process.versions.node, 10);
  if (majorVersion < 20) {
    throw new Refusal(
      `Stashlight needs Node 20 or later, and this is Node ${process.versions.node}; update Node.`,
    );
  }
  if (file === undefined)
    throw new Refusal("Name the file to run: node tools/bootstrap.mjs FILE.ts [arguments].");
  const path = resolve(root, file);
  const hasToInstall = !isInstalled();
  if (hasToInstall) await withLock(install);
  const node = chooseNode(majorVersion);
  if (!isPreparing) await run(node, [path, ...args]);
  else if (hasToInstall) fillCompileCache(node, path);
}

// Installed packages

/** The folders of the workspace, from the `packages:` list of pnpm-workspace.yaml ("apps/*" or "e2e"). */
function workspaceFolders() {
  const lines = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").split("\n");
  const start = lines.indexOf("packages:") + 1;
  const end = lines.findIndex((line, index) => index >= start && !/^\s*(-|#|$)/.test(line));
  const patterns = lines
    .slice(start, end)
    .flatMap((line) => line.match(/^\s*-\s*["']?([^"'\s]+)/)?.[1] ?? []);
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [pattern];
    const parent = pattern.slice(0, -2);
    if (!existsSync(join(root, parent))) return [];
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
}

function workspaceManifests() {
  const paths = workspaceFolders().map((folder) => `${folder}/package.json`);
  return ["package.json", ...paths.filter((path) => existsSync(join(root, path))).sort()];
}

function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\n`);
  for (const path of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...workspaceManifests()]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/** The stamp is written only after a whole install; folders removed since are noticed as well. */
function isInstalled() {
  if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== fingerprint()) return false;
  if (hasOwnNode() && !existsSync(ownNode())) return false;
  return workspaceManifests().every((path) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, path), "utf8"));
    const names = Object.keys({ ...dependencies, ...devDependencies });
    return names.every((name) => existsSync(join(root, dirname(path), "node_modules", name)));
  });
}

// Node 24

function hasOwnNode() {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return `node-${process.platform}-${process.arch}` in optionalDependencies;
}

function ownNode() {
  return join(modules, ".bin/node");
}

function chooseNode(majorVersion) {
  if (existsSync(ownNode())) return ownNode();
  if (majorVersion >= 24) return process.execPath;
  throw new Refusal(
    `Stashlight provides no Node for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}; install Node 24 or later.`,
  );
}

// Installing

async function install() {
  // The previous holder of the lock may have installed.
  if (isInstalled()) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const before = fingerprint();
  const progress = startProgress();
  const { code, signal, output, error } = await runInstaller(packageManager, progress.show);
  if (code === 0) {
    progress.end("Dependencies installed");
    writeFileSync(stampFile, before);
    return;
  }
  progress.end(signal ? "Interrupted" : "Could not install the dependencies");
  if (signal) process.exit(128 + constants.signals[signal]);
  process.stderr.write(`${output.trimEnd()}\n\n`);
  throw new Refusal(error ?? explainInstall(output, packageManager));
}

async function runInstaller(packageManager, show) {
  rmSync(stampFile, { force: true });
  // npm puts our own Node first on the PATH, which the install is about to replace.
  const path = (process.env.PATH ?? "").split(delimiter).filter((entry) => !entry.startsWith(modules));
  let interruption;
  let child;
  const interrupt = (signal) => {
    interruption = signal;
    killGroup(child.pid, signal);
  };
  // Listens before there is a child: an unhandled signal would leave the child behind.
  for (const signal of forwardedSignals) process.on(signal, interrupt);
  // npx has fetched the very version that package.json asks for, so pnpm need not look for it again.
  const args = ["-y", packageManager, "install", "--frozen-lockfile", "--config.pm-on-fail=ignore"];
  child = spawn("npx", [...args, "--reporter=append-only"], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter), CI: "true", npm_config_fetch_retries: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      chunks.push(text);
      show(text);
    });
  }
  const result = await new Promise((settle) => {
    child.once("error", () =>
      settle({ code: 1, error: "npx was not found; install npm, which belongs to Node." }),
    );
    child.once("close", (code) => settle({ code }));
  });
  for (const signal of forwardedSignals) process.off(signal, interrupt);
  return { ...result, signal: interruption, output: chunks.join("") };
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}

function explainInstall(output, packageManager) {
  if (/ENOSPC|No space left on device/i.test(output)) {
    return `The disk below ${root} is full; free about 2 GB and start again.`;
  }
  if (/EACCES|EPERM|EROFS|Permission denied|Read-only file system/i.test(output)) {
    return `There is no permission to write below ${modules}; start as the user who owns this folder.`;
  }
  if (/OUTDATED_LOCKFILE|FROZEN_LOCKFILE/i.test(output)) {
    return `pnpm-lock.yaml does not fit the package.json files; run npx -y ${packageManager} install and start again.`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|fetch fail|dns error/i.test(
      output,
    )
  ) {
    return "The npm registry could not be reached; check the network (or the registry in ~/.npmrc) and start again.";
  }
  return "The dependencies could not be installed; the lines above show why.";
}

/** Shows the time and the step of pnpm on one line of a terminal; elsewhere prints a line at the start and the end. */
function startProgress() {
  const startedMs = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedMs) / 1000)} s`;
  const { isTTY } = process.stderr;
  let detail = "";
  const draw = () => {
    const line = `Installing dependencies … ${seconds()}${detail}`;
    process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  };
  if (isTTY) draw();
  else process.stderr.write("Installing dependencies; the first time takes roughly half a minute.\n");
  const timer = isTTY ? setInterval(draw, 250) : undefined;
  return {
    show(text) {
      const counts = text.match(/resolved (\d+), reused (\d+), downloaded (\d+), added (\d+)/);
      if (!counts) return;
      const [total, added] = [Number(counts[1]), Number(counts[4])];
      const leftSeconds = Math.round(((Date.now() - startedMs) * (total - added)) / added / 1000);
      const timeLeft = added > total / 10 && leftSeconds > 0 ? `, about ${leftSeconds} s left` : "";
      detail = ` · ${added} of ${total} packages${timeLeft}`;
    },
    end(text) {
      clearInterval(timer);
      process.stderr.write(`${isTTY ? "\r\x1b[K" : ""}${text} (${seconds()}).\n`);
    },
  };
}

// One install at a time

/** The lock is a file with our process id; a lock whose process is gone, or that is not readable, is taken over. */
async function withLock(action) {
  mkdirSync(modules, { recursive: true });
  let isWaitTold = false;
  while (!tryLock()) {
    if (!isWaitTold) process.stderr.write("Waiting for another start that is installing the dependencies.\n");
    isWaitTold = true;
    await delay(200);
  }
  const unlock = () => {
    if (readLock() === String(process.pid)) rmSync(lockFile, { force: true });
  };
  process.once("exit", unlock);
  await action();
  process.off("exit", unlock);
  unlock();
}

function readLock() {
  return existsSync(lockFile) ? readFileSync(lockFile, "utf8") : undefined;
}

function tryLock() {
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    // A link appears whole or not at all, and fails when the name is taken.
    linkSync(mine, lockFile);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!isLockHeld(lockFile)) dropStaleLock(mine);
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

function isLockHeld(path) {
  try {
    const holder = Number(readFileSync(path, "utf8"));
    if (!Number.isInteger(holder) || holder <= 1 || holder === process.pid) return false;
    return isAlive(holder) && isBootstrap(holder);
  } catch {
    // Either removed by now, or not readable to us and so another user's.
    return existsSync(path);
  }
}

/** After a reboot the number may be that of another program. */
function isBootstrap(pid) {
  const { stdout } = spawnSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  return stdout === null || stdout.includes("bootstrap.mjs");
}

/**
 * Renamed before it is removed: of two starts that find it stale one gets it, and a lock taken meanwhile is put back.
 */
function dropStaleLock(mine) {
  const moved = `${mine}.stale`;
  try {
    renameSync(lockFile, moved);
  } catch {
    // Another start was faster.
    return;
  }
  try {
    if (isLockHeld(moved)) linkSync(moved, lockFile);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

// Running

/** With a cache of our stripped and compiled TypeScript, each process needs 30 MB less and starts sooner. */
function environment() {
  return { NODE_COMPILE_CACHE: join(modules, ".cache/node-compile"), ...process.env };
}

/** Loads the file and all its imports, and exits before any of their code runs. */
function fillCompileCache(node, path) {
  const imports = ["data:text/javascript,process.exit()", pathToFileURL(path)];
  const program = imports.map((name) => `import ${JSON.stringify(name)};`).join("");
  const { error } = spawnSync(node, ["--input-type=module", "--eval", program], {
    env: environment(),
    stdio: "ignore",
  });
  if (error) throw new Refusal(explainNode(node, error));
}

function explainNode(node, { message }) {
  return `${node} does not run on this machine (${message}); install Node 24 or later.`;
}

/** Replaces this process, and frees its memory, if this Node can; otherwise starts a child. */
async function run(node, args) {
  if (process.execve === undefined) return runChild(node, args);
  const watch = pathToFileURL(join(root, "tools/end-with-npm.mjs")).href;
  process.execve(node, [node, "--import", watch, ...args], environment());
}

/**
 * The child gets a channel that closes when this process dies, and receives every signal. This process exits as the
 * child does.
 */
async function runChild(node, args) {
  const child = spawn(node, args, { env: environment(), stdio: ["inherit", "inherit", "inherit", "ipc"] });
  const forward = (signal) => child.kill(signal);
  for (const signal of forwardedSignals) process.on(signal, forward);
  const watch = watchNpm(() => child.kill("SIGTERM"));
  const { code, signal, error } = await new Promise((settle) => {
    child.once("error", (error) => settle({ error }));
    child.once("exit", (code, signal) => settle({ code, signal }));
  });
  clearInterval(watch);
  for (const name of forwardedSignals) process.off(name, forward);
  if (error) throw new Refusal(explainNode(node, error));
  if (signal) process.kill(process.pid, signal);
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
}

function explainFailure(error) {
  if (error instanceof Refusal) return error.message;
  if (error?.code === "ENOSPC") return `The disk below ${root} is full; free about 2 GB and start again.`;
  if (["EACCES", "EPERM", "EROFS"].includes(error?.code)) {
    return `There is no permission to write below ${modules}; start as the user who owns this folder.`;
  }
  return error?.stack ?? String(error);
}

main().catch((error) => {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
});
