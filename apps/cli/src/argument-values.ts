/** Parsers of single argument values. Each throws a UsageError. */
import { resolve } from "node:path";
import { POD_BYTES_MIN } from "./pod-size.ts";
import { formatSize, parseSize } from "./units.ts";
import { UsageError } from "./usage-error.ts";

const SIZE_BYTES_MAX = 64 * 1_048_576;
const RATE_MAX = 10_000;
const POD_BYTES_MAX = 64 * 1024 * 1_048_576;

export const CONCURRENCY_MAX = 1024;
export const SEED_MAX = 999_999_999;

export interface Surroundings {
  readonly projectDirectory: string;
  readonly currentDirectory: string;
}

export function findVaultFile(
  text: string | undefined,
  { projectDirectory, currentDirectory }: Surroundings,
): string {
  if (text === undefined) return resolve(projectDirectory, ".stashlight/vault/vault.json");
  if (text.trim() === "") throw new UsageError("--config must be the vault's file.");
  return resolve(currentDirectory, text);
}

/** The first is the vault that owns the endpoint. */
export function findVaultFiles(
  [text, ...further]: readonly (string | undefined)[] = [],
  surroundings: Surroundings,
): { config: string; furtherConfigs?: string[] } {
  const config = findVaultFile(text, surroundings);
  if (further.length === 0) return { config };
  return { config, furtherConfigs: further.map((each) => findVaultFile(each ?? "", surroundings)) };
}

export function journalPath(text: string | undefined, { currentDirectory }: Surroundings): string | null {
  if (text === undefined) return null;
  if (text.trim() === "") throw new UsageError("--journal must be a file.");
  return resolve(currentDirectory, text);
}

/** Returns true for the address of a drive: "p3" of a pod, or "s7" of a stash device. */
export const isDriveAddress = (text: string): boolean => /^[ps]\d{1,5}$/.test(text);

export function parseBucketName(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text;
  throw new UsageError(
    `--bucket must be 3 to 63 lower-case letters, digits, dots and hyphens; got "${text}".`,
  );
}

export function parseSizeArgument(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= 1 && bytes <= SIZE_BYTES_MAX) return bytes;
  throw new UsageError(`--size must be from 1 byte to 64MiB, such as 256KiB; got "${text}".`);
}

export function parsePodBytes(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= POD_BYTES_MIN && bytes <= POD_BYTES_MAX) return bytes;
  throw new UsageError(
    `--pod-size must be from ${formatSize(POD_BYTES_MIN).replace(" ", "")} to 65536MiB; got "${text}".`,
  );
}

export function parseRate(text: string): number {
  const rate = Number(text);
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text) && rate > 0 && rate <= RATE_MAX) return rate;
  throw new UsageError(
    `--rate must be uploads per second, above 0 and up to ${RATE_MAX}, such as 0.5 or 20; got "${text}".`,
  );
}

export function parseDollars(name: string, text: string): number {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be US dollars, such as 0.5 or 20; got "${text}".`);
}

export function parseInteger(name: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= 1 && value <= max) return value;
  throw new UsageError(`${name} must be a number from 1 to ${max}; got "${text}".`);
}
