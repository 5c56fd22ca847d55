/** Checks that run before anything is created. */
import { accessSync, constants, existsSync, mkdirSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { explainFileError, Failure } from "./failure.ts";
import { readLockHolder } from "./lock.ts";
import type { Options, VaultOptions } from "./options.ts";
import { readPresentShape } from "./vault/existing-shape.ts";
import { decideVaultCount, vaultNumbers } from "./vault/vault-count.ts";
import { isFormatted, measureDiskBytes, vaultFilePath, vaultFolderPath } from "./vault/vault-folders.ts";
import {
  grownPodVolume,
  newVault,
  ShapeRefused,
  type VaultShape,
  vaultCapacityBytes,
  vaultShape,
} from "./vault/vault-size.ts";

const freeBytesMin = 500 * 1024 * 1024;
const loopback = "127.0.0.1";
const usualPorts = { "--port": 4680, "--ingest-port": 4685, "--s3-port": 4690 };

export async function checkSurroundings(options: Options): Promise<void> {
  const holder = readLockHolder(lockFilePath(options.dataDirectory));
  if (holder) throw alreadyRunning(options.dataDirectory, holder.pid, holder.note);
  await checkUsualPort("--port", options.host, options.port);
  await checkUsualPort("--ingest-port", options.host, options.ingestPort);
  if (options.vault) await checkUsualPort("--s3-port", loopback, options.vault.s3Port);
  checkFolder(options);
}

export function lockFilePath(dataDirectory: string): string {
  return join(dataDirectory, "stashlight.lock");
}

export function alreadyRunning(dataDirectory: string, pid: number, url: string): Failure {
  return new Failure(
    `Stashlight already runs on ${dataDirectory} at ${url} (process ${pid}); open it, stop it, or choose another folder with --data.`,
  );
}

const checkUsualPort = (option: keyof typeof usualPorts, host: string, port: number): Promise<void> =>
  checkPort({ option, usual: usualPorts[option] }, host, port);

interface PortOption {
  /** The option as written after "npm start --". */
  option: string;
  usual: number;
}

export function checkPort(option: PortOption, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => reject(explainListenError(error, option, host, port)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

function explainListenError(
  cause: NodeJS.ErrnoException,
  { option, usual }: PortOption,
  host: string,
  port: number,
): Failure {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program; stop it, or choose another port: npm start -- ${option} ${port < 65_535 ? port + 1 : usual}.`,
    EACCES: `Port ${port} needs an administrator's rights; choose one from 1024 on: npm start -- ${option} ${usual}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; choose another one with --host.`,
    ENOTFOUND: `The name ${host} is not known; choose an address of this machine with --host.`,
  };
  const sentence = sentences[cause.code ?? ""] ?? `Port ${port} on ${host} cannot be used: ${cause.message}.`;
  return new Failure(sentence, { cause });
}

/** Checks access and free space of the folder or, if it does not exist, of the nearest folder above it. */
function checkFolder({ dataDirectory, vault }: Options): void {
  const vaultBytes = vault === undefined ? 0 : bytesToMake(dataDirectory, vault);
  const bytesMin = freeBytesMin + vaultBytes;
  let existing = dataDirectory;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    const freeBytes = bavail * bsize;
    if (freeBytes >= bytesMin) return;
    const [freeMb, neededMb] = [freeBytes, bytesMin].map((bytes) => Math.floor(bytes / 1024 / 1024));
    throw new Failure(
      `Only ${freeMb} MB are free on the disk of ${existing}, and Stashlight needs ${neededMb} MB; free some space or choose another folder with --data${alternativeTo(vaultBytes, vault)}.`,
    );
  } catch (error) {
    throw explainFileError(error, existing);
  }
}

function alternativeTo(vaultBytes: number, vault: VaultOptions | undefined): string {
  if (vaultBytes === 0) return "";
  if (vault?.count !== undefined && vault.count > 1) return ", or give a smaller --vaults or --vault-size";
  return vault?.shape.sizeBytes === undefined
    ? ", or leave the vault out with --no-vault"
    : ", or give a smaller --vault-size";
}

/**
 * Bytes that the vaults' drives will take in addition. A vault that already has the wanted size needs none, even if it
 * lost a drive, because a lost drive is not created again. A new vault becomes like the first.
 */
function bytesToMake(dataDirectory: string, { shape: wanted, count }: VaultOptions): number {
  try {
    let first: VaultShape | undefined;
    let bytes = 0;
    for (const number of vaultNumbers(decideVaultCount(dataDirectory, count))) {
      const present = readPresentShape(vaultFilePath(dataDirectory, number));
      const shape =
        present === undefined
          ? (first ?? vaultShape(newVault(wanted)))
          : { ...present, podVolume: grownPodVolume(present, wanted) };
      first ??= shape;
      bytes += bytesMissing(vaultFolderPath(dataDirectory, number), present, vaultCapacityBytes(shape));
    }
    return bytes;
  } catch (error) {
    throw error instanceof ShapeRefused ? new Failure(error.message) : error;
  }
}

function bytesMissing(folder: string, present: VaultShape | undefined, bytes: number): number {
  if (present !== undefined && isFormatted(folder)) return bytes - vaultCapacityBytes(present);
  return Math.max(0, bytes - (existsSync(folder) ? measureDiskBytes(folder) : 0));
}

export function createDataFolder(dataDirectory: string): void {
  try {
    mkdirSync(join(dataDirectory, "logs"), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFileError(error, dataDirectory);
  }
}
