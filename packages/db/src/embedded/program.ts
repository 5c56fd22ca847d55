/** Runs a Postgres program that performs one task and exits: initdb, or the server in single-user mode. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, locateCluster } from "./cluster-paths.ts";
import { explainFileError, explainOutput } from "./errors.ts";

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process started while opening the database, for code that may have to end it. */
export interface DatabaseProcess {
  pid: number;
  exited: Promise<ProcessExit>;
  /** Asks the process to end, and after `patienceMs` ends it without clean-up. */
  stop(patienceMs: number): Promise<void>;
  /** Ends the process and all its children at once. */
  kill(): void;
}

/** Lets the caller watch and abort a slow opening. */
export interface Oversight {
  /** Once aborted, started processes are ended, and the opening then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  onSpawn?: ((process: DatabaseProcess) => void) | undefined;
}

const abortPatienceMs = 1_500;

/** Rejects with a sentence if the program fails; if aborted, rejects once the program and its children have ended. */
export async function runProgram(
  cluster: Cluster,
  [program, ...args]: [string, ...string[]],
  input: string,
  { signal, onSpawn }: Oversight,
): Promise<void> {
  signal?.throwIfAborted();
  const { dataDirectory } = cluster;
  // Uses a separate process group: initdb starts servers, which must end with it, and Ctrl-C in the terminal must not
  // reach them.
  const child = spawn(program, args, {
    ...locateCluster(cluster).spawnOptions,
    stdio: "pipe",
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  // A program that fails early closes its input; the exit code reveals the failure.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const running = describeProgram(child);
  const abort = () => void running.stop(abortPatienceMs);
  signal?.addEventListener("abort", abort, { once: true });
  if (child.pid !== undefined) onSpawn?.(running);
  const [{ code }, spawnError] = await Promise.all([running.exited, waitForSpawnError(child)]);
  signal?.removeEventListener("abort", abort);
  signal?.throwIfAborted();
  if (spawnError) throw explainFileError(spawnError, dataDirectory);
  if (code !== 0 || /^.*(FATAL|ERROR): /m.test(output)) throw explainOutput(output, dataDirectory);
}

function waitForSpawnError(child: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.once("error", resolve);
    child.once("close", () => resolve(undefined));
  });
}

/** The process has ended once its output, which its children share, is closed. */
function describeProgram(child: ChildProcess): DatabaseProcess {
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("error", () => resolve({ code: 127, signal: null }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const kill = () => signalGroup(child, "SIGKILL");
  return {
    pid: child.pid ?? 0,
    exited,
    kill,
    async stop(patienceMs) {
      signalGroup(child, "SIGTERM");
      const isEnded = await Promise.race([exited.then(() => true), delay(patienceMs, false, { ref: false })]);
      if (isEnded) return;
      kill();
      await exited;
    },
  };
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // The whole group has already ended.
  }
}
