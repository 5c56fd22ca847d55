/**
 * Cleans up after an earlier run: after kill -9 or a power cut `postmaster.pid` remains, its server may still run, and
 * its process id may belong to another process by then.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EmbeddedPostgresError, explainFileError } from "./errors.ts";
import { identify } from "./orphans.ts";

const fastShutdownMs = 20_000;
const immediateShutdownMs = 5_000;
const pollMs = 25;

/** Name in the command line of our server, which shows in a process list which data it uses. */
export function clusterName(dataDirectory: string): string {
  const hash = createHash("sha256").update(realpathSync(dataDirectory)).digest("hex");
  return `stashlight-${hash.slice(0, 12)}`;
}

/** Ensures that no server of ours runs on the data, and that no pid file prevents the next start. */
export async function clearLeftover(
  dataDirectory: string,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pidFile = join(dataDirectory, "postmaster.pid");
  const pid = readPid(pidFile, dataDirectory);
  if (pid === undefined) return;
  if (pid !== "unreadable") {
    // Postgres itself replaces the file of a dead process, and then checks for orphaned backends.
    if (!isAlive(pid)) return;
    if (isClusterServer(pid, dataDirectory)) {
      log(`Stopping the Postgres that an earlier run left behind (process ${pid}).`);
      return stopServer(pid, dataDirectory, signal);
    }
  }
  rmSync(pidFile, { force: true });
}

function readPid(pidFile: string, dataDirectory: string): number | "unreadable" | undefined {
  try {
    const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : "unreadable";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw explainFileError(error, dataDirectory);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A Postgres server changes into its data directory; if that is unreadable, its command line names the directory. */
function isClusterServer(pid: number, dataDirectory: string): boolean {
  const command = readCommandLine(pid);
  if (!/(^|\/)postgres([:\s\0]|$)/.test(command)) return false;
  const workingDirectory = identify(`/proc/${pid}/cwd`);
  if (workingDirectory !== undefined) return workingDirectory === identify(dataDirectory);
  return command.includes(clusterName(dataDirectory));
}

function readCommandLine(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

/**
 * SIGINT requests a fast shutdown of Postgres, SIGQUIT an immediate one, after which the next start replays the log. An
 * abort skips the first.
 */
async function stopServer(pid: number, dataDirectory: string, abort: AbortSignal | undefined): Promise<void> {
  const isGone = () => !isAlive(pid) || !isClusterServer(pid, dataDirectory);
  for (const [signal, patienceMs] of [
    ["SIGINT", fastShutdownMs],
    ["SIGQUIT", immediateShutdownMs],
  ] as const) {
    if (isGone()) return abort?.throwIfAborted();
    process.kill(pid, signal);
    const deadlineMs = performance.now() + patienceMs;
    while (performance.now() < deadlineMs && !(signal === "SIGINT" && abort?.aborted)) {
      if (isGone()) break;
      await delay(pollMs);
    }
  }
  if (isGone()) return abort?.throwIfAborted();
  throw new EmbeddedPostgresError(
    "still_in_use",
    `A Postgres of an earlier run (process ${pid}) does not stop; end it and start again.`,
  );
}
