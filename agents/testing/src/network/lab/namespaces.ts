/**
 * Names network namespaces after their owner: `stashlight-PID-STARTED-MACHINE`, with the process that created them and
 * its start time, because process ids are reused. Any process may remove the namespaces of a process that has ended.
 */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ip, ipOutput } from "./ip.ts";

const PATTERN = /^stashlight-(\d+)-(\d+)-[a-z0-9-]+$/;
const LOOK_EVERY_MS = 20;
const ENDED_WITHIN_MS = 5000;

/** Prefix of this process's namespaces. */
export function ownPrefix(): string {
  const startedTicks = readStartTicks(process.pid);
  if (startedTicks === null) throw new Error("The process's own start is not in /proc.");
  return `stashlight-${process.pid}-${startedTicks}-`;
}

export function namespacesWith(prefix: string): string[] {
  return allNamespaces().filter((name) => name.startsWith(prefix));
}

/** Namespaces of processes that have ended. */
export function abandonedNamespaces(): string[] {
  return allNamespaces().filter((name) => {
    const [, pid, started] = PATTERN.exec(name) ?? [];
    return pid !== undefined && readStartTicks(Number(pid)) !== started;
  });
}

/** Ends everything running in these namespaces, and removes them. Resolves when the processes have ended. */
export async function removeNamespaces(names: readonly string[]): Promise<void> {
  const pids = names.flatMap(processesIn);
  for (const pid of pids) kill(pid);
  const deadlineMs = performance.now() + ENDED_WITHIN_MS;
  while (names.some((name) => processesIn(name).length > 0) && performance.now() < deadlineMs) {
    await delay(LOOK_EVERY_MS);
  }
  for (const name of names) {
    // Another run may have found the same namespace abandoned.
    if (allNamespaces().includes(name)) ip(`netns del ${name}`);
  }
}

function allNamespaces(): string[] {
  const lines = ipOutput("netns", "list").split("\n");
  return lines.flatMap((line) => line.split(" ")[0] || []);
}

function processesIn(name: string): number[] {
  try {
    return ipOutput("netns", "pids", name).split("\n").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}

/** Returns null if there is no such process, or it has ended but was not reaped. */
function readStartTicks(pid: number): string | null {
  try {
    // The name of the program, in brackets, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
