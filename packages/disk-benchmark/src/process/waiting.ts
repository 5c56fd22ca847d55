/** Finds out what a process that reports nothing waits for, as Linux has it in /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** "asked (node) R 1 ...": the state stands behind the name, which may have blanks and brackets. */
const STATE = /\) ([A-Z]) /;

/**
 * Says whether its threads want a processor and none waits for a drive: then it is the machine that is too busy. A thread
 * in state R runs or waits to run; one in D waits for a device. False where the kernel does not tell.
 */
export function waitsForProcessor(pid: number, procFolder = "/proc"): boolean {
  const states = readStates(`${procFolder}/${pid}/task`);
  return states.includes("R") && !states.includes("D");
}

/** Says whether one of its threads waits for a device; false where the kernel does not tell. */
export const waitsForDrive = (pid: number, procFolder = "/proc"): boolean =>
  readStates(`${procFolder}/${pid}/task`).includes("D");

/** Says whether a process has not ended; one that has and was not collected yet has threads in the states Z or X alone. */
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
