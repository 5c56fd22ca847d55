/** A copy of the tracked tree, started and stopped like a user would, with timing. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { repositoryRoot } from "../run/environment.ts";

const startedWithinMs = 300_000;
const pollMs = 50;
const setupLink = /https?:\/\/\S+\/setup#[A-Za-z0-9_-]{43}(?=\s)/;

export interface TimedStart {
  /** From the command to the first served sign-in page. */
  elapsedMs: number;
  url: string;
  setupUrl: string | null;
  pid: number;
  stop(): Promise<void>;
}

/** The tree as tracked by git, with uncommitted changes and without anything installed or built. */
export function copyTree(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-bench-"));
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: repositoryRoot,
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repositoryRoot, file), join(folder, file), { verbatimSymlinks: true });
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface StartOptions {
  /** With an idle vault; otherwise only the console and its dependencies. */
  readonly hasVault?: boolean;
}

export async function startTimed(
  folder: string,
  port: number,
  { hasVault = false }: StartOptions = {},
): Promise<TimedStart> {
  const startedAtMs = performance.now();
  const options = ["--port", String(port), hasVault ? "--no-demo" : "--no-vault"];
  const child = spawn("npm", ["start", "--", ...options], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const url = `http://localhost:${port}`;
  try {
    const elapsedMs = await waitForPage(child, `${url}/sign-in`, startedAtMs);
    // The link is printed once the page is served.
    for (let i = 0; i < 400 && !output.includes("Ctrl-C"); i++) await delay(pollMs);
    const setupUrl = setupLink.exec(output)?.[0] ?? null;
    return { elapsedMs, url, setupUrl, pid: child.pid ?? 0, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw new Error(`${(error as Error).message}\n${output}`);
  }
}

async function waitForPage(child: ChildProcess, url: string, startedAtMs: number): Promise<number> {
  for (;;) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    const elapsedMs = performance.now() - startedAtMs;
    // Checked first, so that the page of another Stashlight on this port is not mistaken for this one.
    if (child.exitCode !== null) throw new Error(`npm start ended with exit code ${child.exitCode}.`);
    if (status === 200) return elapsedMs;
    if (elapsedMs > startedWithinMs) throw new Error(`No page within ${startedWithinMs / 1000} s.`);
    await delay(pollMs);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const family = [child.pid, ...descendants(child.pid)];
  for (const pid of family) {
    if (/^[^\0]*node\0.*apps\/local\/src\/main\.ts/.test(readCommand(pid))) process.kill(pid, "SIGTERM");
  }
  // npm may end before the processes that it started; the next start must find none running.
  while (processes().some((row) => family.includes(row.pid))) await delay(pollMs);
}

interface ProcessRow {
  pid: number;
  parent: number;
  rssBytes: number;
}

/** Sum of the resident memory of a process and all its descendants, with shared pages counted in each (Linux). */
export function residentBytes(pid: number): number {
  const wanted = new Set([pid, ...descendants(pid)]);
  return processes()
    .filter((row) => wanted.has(row.pid))
    .reduce((sum, row) => sum + row.rssBytes, 0);
}

/**
 * Proportional memory: each shared page is divided among the processes that share it, so the sum is the machine's
 * total.
 */
export function proportionalBytes(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, each) => sum + readProportionalBytes(each), 0);
}

function readProportionalBytes(pid: number): number {
  try {
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB$/m.exec(memory)?.[1] ?? 0) * 1024;
  } catch {
    // The process ended during the scan.
    return 0;
  }
}

function descendants(pid: number): number[] {
  const rows = processes();
  const found = [pid];
  for (const parent of found)
    found.push(...rows.filter((row) => row.parent === parent).map((row) => row.pid));
  return found.slice(1);
}

function processes(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      rows.push({ pid: Number(name), parent: field("PPid"), rssBytes: field("VmRSS") * 1024 });
    } catch {
      // The process ended during the scan.
    }
  }
  return rows;
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
