/** Finds out what a silent process waits for, from Linux's /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** Matches the state in "asked (node) R 1 ...", after the name, which may contain blanks and parentheses. */
const STATE = /\) ([A-Z]) /;

/**
 * Returns true if threads want a CPU and none waits for a drive, which means that the machine is too busy. A thread in
 * state R runs or waits to run; one in D waits for a device. False if the kernel does not report states.
 */
export function waitsForProcessor(pid: number, procFolder = "/proc"): boolean {
  const states = readStates(`${procFolder}/${pid}/task`);
  return states.includes("R") && !states.includes("D");
}

/** Returns true if a thread waits for a device; false if the kernel does not report states. */
export const waitsForDrive = (pid: number, procFolder = "/proc"): boolean =>
  readStates(`${procFolder}/${pid}/task`).includes("D");

/** Returns false once a process has ended; one not yet reaped has only threads in the states Z or X. */
export const isAlive = (pid: number, procFolder = "/proc"): boolean =>
  readStates(`${procFolder}/${pid}/task`).some((state) => state !== "Z" && state !== "X");

function readStates(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap(
      (task) => STATE.exec(readFileSync(`${folder}/${task}/stat`, "utf8"))?.[1] ?? [],
    );
  } catch {
    return [];
  }
}
