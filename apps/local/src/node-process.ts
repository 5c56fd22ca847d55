/** A Node process of the installation that reports when it is ready (see @stashlight/contracts/process). */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessReport } from "@stashlight/contracts/process";
import { explainFileError, Failure } from "./failure.ts";
import { logSize, readLastLines } from "./log-files.ts";

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Any process that the supervisor keeps running. */
export interface Running {
  pid: number;
  exited: Promise<Exit>;
  /** Asks the process to end, and kills it after the given time. */
  stop(patienceMs: number): Promise<void>;
  kill(): void;
}

export interface NodeProcess {
  label: string;
  entry: string;
  args?: string[];
  nodeFlags?: readonly string[];
  env: NodeJS.ProcessEnv;
  workingDirectory: string;
  logFile: string;
}

const evidenceLineCount = 15;

/**
 * Starts it in its own process group, so that Ctrl-C in the terminal reaches only the supervisor, which decides. The
 * channel closes when the supervisor dies, and the process then exits.
 */
export function spawnNode(definition: NodeProcess): ChildProcess {
  const { entry, args = [], nodeFlags = [], env, workingDirectory, logFile } = definition;
  let log: number;
  try {
    log = openSync(logFile, "a", 0o600);
  } catch (error) {
    throw explainFileError(error, logFile);
  }
  try {
    return spawn(process.execPath, [...nodeFlags, entry, ...args], {
      cwd: workingDirectory,
      env,
      detached: true,
      stdio: ["ignore", log, log, "ipc"],
    });
  } finally {
    closeSync(log);
  }
}

/** Starts the process and waits until it is ready. `onSpawn` receives it earlier, so that a stop can end it. */
export async function startNode(
  definition: NodeProcess,
  onSpawn: (running: Running) => void,
  readyWithinMs = 60_000,
): Promise<Running> {
  const logStartBytes = logSize(definition.logFile);
  const child = spawnNode(definition);
  const running = describe(child);
  onSpawn(running);
  const evidence = () => readLastLines(definition.logFile, logStartBytes, evidenceLineCount);
  const timeout = new AbortController();
  const outcome = await Promise.race([
    waitForReport(child),
    running.exited,
    delay(readyWithinMs, "late" as const, { signal: timeout.signal }),
  ]);
  timeout.abort();
  if (outcome === "late") {
    running.kill();
    const sentence = `${definition.label} was not ready after ${readyWithinMs / 1000} s; see ${definition.logFile}.`;
    throw new Failure(sentence, { evidence: evidence() });
  }
  if ("type" in outcome) {
    if (outcome.type === "ready") return running;
    await running.stop(1000);
    throw new Failure(outcome.message);
  }
  const sentence = `${definition.label} ended as it started (${describeExit(outcome)}); see ${definition.logFile}.`;
  throw new Failure(sentence, { evidence: evidence() });
}

export function describeExit({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code}` : `killed by ${signal}`;
}

function waitForReport(child: ChildProcess): Promise<ProcessReport> {
  return new Promise((resolve) => {
    child.on("message", (message) => {
      const report = message as ProcessReport;
      if (report.type === "ready" || report.type === "failed") resolve(report);
    });
  });
}

function describe(child: ChildProcess): Running {
  const kill = () => killGroup(child);
  const exited = new Promise<Exit>((resolve) => {
    child.once("error", () => resolve({ code: 127, signal: null }));
    child.once("exit", (code, signal) => {
      // Also ends the processes that it started.
      kill();
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid ?? 0,
    exited,
    kill,
    async stop(patienceMs) {
      if (child.connected) child.disconnect();
      const isEnded = await Promise.race([exited.then(() => true), delay(patienceMs, false, { ref: false })]);
      if (isEnded) return;
      kill();
      await exited;
    },
  };
}

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Ignored: the whole group has already ended.
  }
}
