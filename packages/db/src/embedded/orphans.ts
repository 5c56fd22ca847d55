/**
 * Ends backends that outlived their server. A killed server (SIGKILL, the kernel's out-of-memory killer) cannot notify
 * its backends. An idle one notices at once, but a busy one continues until its statement ends and holds the shared
 * memory meanwhile, so that no server can start on the data. Its client got no answer and its writes are not committed,
 * so ending it loses nothing that the crash had not already lost.
 *
 * Only Linux provides enough information to identify such a process. Elsewhere startup waits, and `statement_timeout`
 * bounds the wait.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const quickExitMs = 1_000;
const killedMs = 2_000;
const pollMs = 20;

/** Properties of a process that may be an orphan. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parentPid: number;
  /** Path of the program's file; undefined if it cannot be read. */
  readonly program: string | undefined;
  readonly commandLine: string;
  /** Device and inode of the working directory; undefined if it cannot be read. */
  readonly workingDirectory: string | undefined;
}

/**
 * Selects the processes to end: each is a backend by its program and by the title that Postgres gives its children,
 * works in this data directory, and is not the child of a Postgres server running there.
 */
export function findOrphans(processes: readonly ProcessFacts[], dataDirectory: string): ProcessFacts[] {
  const ours = processes.filter(
    ({ program, workingDirectory }) =>
      program !== undefined && isPostgres(program) && workingDirectory === dataDirectory,
  );
  const pids = new Set(ours.map(({ pid }) => pid));
  return ours.filter(
    ({ parentPid, commandLine }) => commandLine.startsWith("postgres: ") && !pids.has(parentPid),
  );
}

/** The kernel appends this suffix if the program file was replaced while running, as an update does. */
const isPostgres = (program: string): boolean =>
  basename(program.replace(/ \(deleted\)$/, "")) === "postgres";

/** Ends the orphans of this data directory, if any; the server itself must already be stopped. */
export async function endOrphans(dataDirectory: string, log: (line: string) => void): Promise<void> {
  const found = readOrphans(dataDirectory);
  if (found.length === 0) return;
  const list = found.map(({ pid }) => pid).join(", ");
  log(
    `Ending backends that a killed Postgres left behind (${found.length > 1 ? "processes" : "process"} ${list}).`,
  );
  // After a crash the server would send SIGQUIT, on which a backend ends without touching shared memory.
  for (const [signal, patienceMs] of [
    ["SIGQUIT", quickExitMs],
    ["SIGKILL", killedMs],
  ] as const) {
    const orphans = readOrphans(dataDirectory);
    for (const { pid } of orphans) signalProcess(pid, signal);
    const deadlineMs = performance.now() + patienceMs;
    while (readOrphans(dataDirectory).length > 0 && performance.now() < deadlineMs) await delay(pollMs);
  }
}

function readOrphans(dataDirectory: string): ProcessFacts[] {
  if (process.platform !== "linux") return [];
  const place = identify(dataDirectory);
  if (place === undefined) return [];
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readFacts(Number(name)) ?? []);
  return findOrphans(processes, place);
}

/** Returns undefined for a process that has ended, or that is unreadable and therefore not ours. */
function readFacts(pid: number): ProcessFacts | undefined {
  try {
    // Reads the program first, which rules out most processes.
    const program = readlinkSync(`/proc/${pid}/exe`);
    if (!isPostgres(program)) return undefined;
    const parentPid = Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return { pid, parentPid, program, commandLine, workingDirectory: identify(`/proc/${pid}/cwd`) };
  } catch {
    return undefined;
  }
}

/** Device and inode, which identify a folder under any path; undefined if unreadable. */
export function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
