/** Finds out what a silent process waits for, from Linux's /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** Parses "asked (node) R 1 ...": the state follows the name, which may have blanks and brackets. */
const STATE = /\) ([A-Z]) /;

/**
 * Returns true if its threads want a processor and none waits for a drive: then the machine is too busy. A thread in
 * state R runs or waits to run; one in D waits for a device. False if the kernel does not report it.
 */
export function waitsForProcessor(pid: number, procFolder = "/proc"): boolean {
  const states = readStates(`${procFolder}/${pid}/task`);
  return states.includes("R") && !states.includes("D");
}

/** Returns true if one of its threads waits for a device; false if the kernel does not report it. */
export const waitsForDrive = (pid: number, procFolder = "/proc"): boolean =>
  readStates(`${procFolder}/${pid}/task`).includes("D");

/**
 * Returns true if a process has not ended; one that has ended but was not yet collected has only threads in the states
 * Z or X.
 */
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
