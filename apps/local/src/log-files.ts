import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { explainFileError } from "./failure.ts";

const rotateBytes = 10 * 1024 * 1024;
const tailBytes = 16 * 1024;

export const logFilePath = (dataDirectory: string, name: string): string =>
  join(dataDirectory, "logs", `${name}.log`);

/** Log of a process. On startup, a large log becomes `NAME.log.old` and replaces the previous one. */
export function prepareLogFile(dataDirectory: string, name: string): string {
  const path = logFilePath(dataDirectory, name);
  try {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > rotateBytes) renameSync(path, `${path}.old`);
    // Opens the log here, to find a full disk or a missing permission before the process starts.
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw explainFileError(error, path);
  }
  return path;
}

export function logSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Undefined if the log is empty or cannot be read. */
export function readLastLine(path: string): string | undefined {
  try {
    return readLastLines(path, 0, 1)[0];
  } catch {
    return undefined;
  }
}

/** Last lines written after the given position. */
export function readLastLines(path: string, fromBytes: number, lineCount: number): string[] {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const start = Math.max(fromBytes, size - tailBytes);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    readSync(descriptor, buffer, 0, buffer.length, start);
    const lines = buffer.toString("utf8").split("\n");
    return lines.filter((line) => line.trim() !== "").slice(-lineCount);
  } finally {
    closeSync(descriptor);
  }
}
