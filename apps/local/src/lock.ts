/**
 * A lock is a file that names the process which holds it. It appears whole or not at all; one whose process is gone,
 * or that holds no process at all, is taken over.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { explainFileError, Failure } from "./failure.ts";
import { processStartOf } from "./process-start.ts";

export interface LockHolder {
  pid: number;
  processStart: string;
  /** What a person should know of the holder, such as the address it serves. */
  note: string;
}

export interface Lock {
  /** The lock then lives as long as that process, should ours be killed. */
  handTo(pid: number): void;
  release(): void;
}

/** The living holder; undefined when the lock is free or its holder has died. */
export function readLockHolder(path: string): LockHolder | undefined {
  const text = readLock(path);
  const holder = text === undefined ? undefined : parseHolder(text);
  return holder && processStartOf(holder.pid) === holder.processStart ? holder : undefined;
}

/** Either the lock, or who holds it. */
export function takeLock(path: string, note: string): { lock: Lock } | { holder: LockHolder } {
  const partial = `${path}.${process.pid}`;
  try {
    for (;;) {
      writeFileSync(partial, describe(process.pid, note), { mode: 0o600 });
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

/** Moved away before it is removed: of two that find it stale, one gets it, and a lock taken meanwhile is put back. */
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
    handTo(pid) {
      text = describe(pid, note);
      const partial = `${path}.${process.pid}`;
      writeFileSync(partial, text, { mode: 0o600 });
      renameSync(partial, path);
    },
    release() {
      if (readLock(path) === text) rmSync(path, { force: true });
    },
  };
}

function describe(pid: number, note: string): string {
  return `${JSON.stringify({ pid, processStart: processStartOf(pid) ?? "", note })}\n`;
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const { pid, processStart, note } = JSON.parse(text);
    const isWhole =
      Number.isInteger(pid) && pid > 0 && typeof processStart === "string" && processStart !== "";
    return isWhole ? { pid, processStart, note: String(note ?? "") } : undefined;
  } catch {
    return undefined;
  }
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
