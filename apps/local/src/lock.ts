/**
 * A lock is a file that names the process which holds it. The file appears atomically, and another process may take the
 * lock over if the holder is gone or the file names none.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { explainFileError, Failure } from "./failure.ts";
import { readProcessStart } from "./process-start.ts";

interface ProcessName {
  pid: number;
  processStart: string;
}

export interface LockHolder extends ProcessName {
  /** Information about the holder, such as the address it serves. */
  note: string;
}

export interface Lock {
  /** The lock then lives as long as that process if this one is killed. */
  shareWith(pid: number): void;
  release(): void;
}

/** The living holder; undefined if the lock is free or its holder has died. */
export function readLockHolder(path: string): LockHolder | undefined {
  const text = readLock(path);
  return parseHolders(text ?? "").find(({ pid, processStart }) => readProcessStart(pid) === processStart);
}

/** Takes the lock, or returns its holder. */
export function takeLock(path: string, note: string): { lock: Lock } | { holder: LockHolder } {
  const partial = `${path}.${process.pid}`;
  try {
    for (;;) {
      writeFileSync(partial, describe(note), { mode: 0o600 });
      if (tryLink(partial, path)) return { lock: createLock(path, note) };
      const holder = readLockHolder(path);
      if (holder) return { holder };
      dropStale(path, partial);
    }
  } catch (error) {
    throw explainFileError(error, path);
  } finally {
    rmSync(partial, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Moves a stale lock away before removing it: of two processes that find it stale only one succeeds, and a lock taken
 * since then is put back.
 */
function dropStale(path: string, partial: string): void {
  const moved = `${partial}.stale`;
  try {
    renameSync(path, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readLockHolder(moved)) tryLink(moved, path);
  rmSync(moved, { force: true });
}

function createLock(path: string, note: string): Lock {
  let text = readFileSync(path, "utf8");
  return {
    shareWith(pid) {
      text = describe(note, processNamed(pid));
      const partial = `${path}.${process.pid}`;
      writeFileSync(partial, text, { mode: 0o600 });
      renameSync(partial, path);
    },
    release() {
      if (readLock(path) === text) rmSync(path, { force: true });
    },
  };
}

const processNamed = (pid: number): ProcessName => ({ pid, processStart: readProcessStart(pid) ?? "" });

function describe(note: string, sharedWith?: ProcessName): string {
  return `${JSON.stringify({ ...processNamed(process.pid), note, sharedWith })}\n`;
}

/** Returns the taker first, then the process that the lock is shared with. */
function parseHolders(text: string): LockHolder[] {
  try {
    const { note, sharedWith, ...own } = JSON.parse(text);
    return [own, sharedWith].filter(isProcessName).map((name) => ({ ...name, note: String(note ?? "") }));
  } catch {
    return [];
  }
}

function isProcessName(value: unknown): value is ProcessName {
  const { pid, processStart } = (value ?? {}) as Partial<ProcessName>;
  return Number.isInteger(pid) && Number(pid) > 0 && typeof processStart === "string" && processStart !== "";
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Failure(
      `The lock file ${path} cannot be read (${code}); make sure that no other Stashlight uses this folder, then remove it.`,
      { cause },
    );
  }
}
