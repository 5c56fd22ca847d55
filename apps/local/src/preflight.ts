/** What is looked at before anything is created. */
import { accessSync, constants, existsSync, mkdirSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { explainFileError, Failure } from "./failure.ts";
import { readLockHolder } from "./lock.ts";
import type { Options } from "./options.ts";

const freeBytesMin = 500 * 1024 * 1024;

export async function checkSurroundings(options: Options): Promise<void> {
  const holder = readLockHolder(lockFileOf(options.dataDirectory));
  if (holder) throw alreadyRunning(options.dataDirectory, holder.pid, holder.note);
  await checkPort(options.host, options.port);
  checkFolder(options.dataDirectory);
}

export function lockFileOf(dataDirectory: string): string {
  return join(dataDirectory, "stashlight.lock");
}

export function alreadyRunning(dataDirectory: string, pid: number, url: string): Failure {
  return new Failure(
    `Stashlight already runs on ${dataDirectory} at ${url} (process ${pid}); open it, stop it, or choose another folder with --data.`,
  );
}

function checkPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => reject(explainListenError(error, host, port)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

function explainListenError(cause: NodeJS.ErrnoException, host: string, port: number): Failure {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program; stop it, or choose another port: npm start -- --port ${port < 65_535 ? port + 1 : 4680}.`,
    EACCES: `Port ${port} needs an administrator's rights; choose one from 1024 on: npm start -- --port 4680.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; choose another one with --host.`,
    ENOTFOUND: `The name ${host} is not known; choose an address of this machine with --host.`,
  };
  const sentence = sentences[cause.code ?? ""] ?? `Port ${port} on ${host} cannot be used: ${cause.message}.`;
  return new Failure(sentence, { cause });
}

/** On the folder itself, or where it does not exist yet, on the nearest one above it. */
function checkFolder(dataDirectory: string): void {
  let existing = dataDirectory;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    const freeBytes = bavail * bsize;
    if (freeBytes >= freeBytesMin) return;
    const [freeMb, neededMb] = [freeBytes, freeBytesMin].map((bytes) => Math.floor(bytes / 1024 / 1024));
    throw new Failure(
      `Only ${freeMb} MB are free on the disk of ${existing}, and Stashlight needs ${neededMb} MB; free some space or choose another folder with --data.`,
    );
  } catch (error) {
    throw explainFileError(error, existing);
  }
}

export function createDataFolder(dataDirectory: string): void {
  try {
    mkdirSync(join(dataDirectory, "logs"), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFileError(error, dataDirectory);
  }
}
