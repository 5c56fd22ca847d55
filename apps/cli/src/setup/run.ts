/** `vault run`: runs this machine's nodes in the foreground, for machines without systemd and for containers. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { DEPARTED_EXIT_CODE, RESTART_EXIT_CODE } from "@stashlight/node-runtime/launch";
import { type MachineProcess, machineProcesses, openMachine } from "@stashlight/vault-setup/join";
import type { RunCommand } from "./arguments.ts";
import { agentProgram } from "./program.ts";

const RESTART_AFTER_MS = 1000;
const STOP_WITHIN_MS = 20_000;
/** Exit code of an agent that cannot start without a manual fix. */
const MISTAKE = 2;

export interface RunSurroundings {
  readonly say: (line: string) => void;
  readonly interrupted: AbortSignal;
}

/** Resolves to the exit code when interrupted, or when an agent cannot start. */
export async function runMachine(
  { folder }: RunCommand,
  { say, interrupted }: RunSurroundings,
): Promise<number> {
  const processes = await machineProcesses(openMachine(folder), agentProgram());
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  interrupted.addEventListener("abort", stop);
  if (interrupted.aborted) stop();
  const codes = await Promise.all(processes.map((process) => keepRunning(process, stopping, say)));
  return Math.max(0, ...codes);
}

async function keepRunning(
  { name, nodeIds, command, env }: MachineProcess,
  stopping: AbortController,
  say: (line: string) => void,
): Promise<number> {
  const [executable = "", ...args] = command;
  while (!stopping.signal.aborted) {
    const child = spawn(executable, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    let mistake: string | null = null;
    child.on("message", (message: { type?: string; message?: string }) => {
      if (message.type === "ready") say(`${name} runs: ${nodeIds.join(", ")}.`);
      if (message.type === "failed") mistake = message.message ?? "It did not start.";
    });
    const code = await ended(child, stopping.signal, () => mistake);
    if (stopping.signal.aborted) return 0;
    if (mistake !== null) {
      say(mistake);
      stopping.abort();
      return MISTAKE;
    }
    if (code === DEPARTED_EXIT_CODE) {
      say(`${name} ended: ${nodeIds.join(", ")} left the vault.`);
      return 0;
    }
    if (code === RESTART_EXIT_CODE) {
      say(`${name} has handed over, and is restarted as vault restart requested.`);
      continue;
    }
    say(`${name} ended with ${code === null ? "a signal" : `the code ${code}`} and is restarted.`);
    await delay(RESTART_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => {});
  }
  return 0;
}

/** Agents end with the channel to their supervisor. */
async function ended(
  child: ChildProcess,
  stopping: AbortSignal,
  mistake: () => string | null,
): Promise<number | null> {
  let patience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (child.connected) child.disconnect();
    patience = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  };
  child.on("message", () => {
    if (mistake() !== null) stop();
  });
  stopping.addEventListener("abort", stop);
  const [code] = await once(child, "exit");
  stopping.removeEventListener("abort", stop);
  clearTimeout(patience);
  return code as number | null;
}
