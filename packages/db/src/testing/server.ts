/**
 * A Postgres server for tests and tools: an embedded one in a temporary folder, or the one that
 * STASHLIGHT_TEST_DATABASE_URL names, in which case only the databases created here are removed again.
 */
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../embedded/index.ts";

export interface ThrowAwayServer {
  /** A role that may create databases and roles. */
  ownerUrl: string;
  /** A login with only the rights of the runtime role; undefined on a server that is not ours. */
  runtimeUrl: string | undefined;
  close(): Promise<void>;
}

const directoryPrefix = "stashlight-throw-away-";

/** Each test file copies and drops a database of some hundred files, which is four times as fast in memory. */
const MEMORY_FOLDER = "/dev/shm";
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

const endingSignals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export async function openThrowAwayServer(): Promise<ThrowAwayServer> {
  const givenUrl = process.env.STASHLIGHT_TEST_DATABASE_URL;
  if (givenUrl) return { ownerUrl: givenUrl, runtimeUrl: undefined, close: async () => {} };
  const parent = hasRoomInMemory() ? MEMORY_FOLDER : tmpdir();
  removeLeftovers(parent);
  const directory = mkdtempSync(join(parent, `${directoryPrefix}${process.pid}-`));
  let pid: number | undefined;
  const forget = onSuddenEnd(() => {
    if (pid !== undefined) process.kill(pid, "SIGQUIT");
    removeDirectory(directory);
  });
  try {
    const postgres = await openEmbeddedPostgres({ directory, durability: "none" });
    pid = postgres.pid;
    const close = async () => {
      await postgres.stop();
      forget();
      removeDirectory(directory);
    };
    return { ownerUrl: postgres.ownerUrl, runtimeUrl: postgres.runtimeUrl, close };
  } catch (error) {
    forget();
    removeDirectory(directory);
    throw error;
  }
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) >= MEMORY_BYTES_MIN;
  } catch {
    return false;
  }
}

function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Runs `action` when the process exits or receives a termination signal; returns a function that cancels this. */
function onSuddenEnd(action: () => void): () => void {
  const handlers = Object.entries(endingSignals).map(
    ([signal, exitCode]) => [signal, () => process.exit(exitCode)] as const,
  );
  process.once("exit", action);
  for (const [signal, handler] of handlers) process.once(signal, handler);
  return () => {
    process.off("exit", action);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** Removes folders of killed processes; their servers end once the files are gone. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(new RegExp(`^${directoryPrefix}(\\d+)-`).exec(name)?.[1]);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      removeDirectory(join(parent, name));
    } catch {
      // The folder belongs to another user, who will remove it.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
