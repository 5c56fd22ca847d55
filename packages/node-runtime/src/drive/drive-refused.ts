import type { DiskError, LogError } from "@stashlight/shard-log";
import type { Address } from "@stashlight/write-path";
import type { DriveConfig } from "../config/index.ts";

const MISPLACED: ReadonlySet<string> = new Set([
  "foreign_cluster",
  "foreign_device",
  "unsupported_format",
  "wrong_geometry",
  "not_formatted",
  "invalid_options",
  "not_found",
  "locked",
]);

/**
 * Returns true if the folder holds another drive's volume, another format or no volume, or is used by another process.
 */
export function isMisplaced(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && MISPLACED.has(code);
}

/** Returns true if the device failed a read, a write or a sync, which may be transient. */
export function hasNotAnswered(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === "io" || code === "io_failed";
}

/** Refusal of a folder that is not the drive's, with a message for the operator. */
export class DriveRefusedError extends Error {
  override readonly name = "DriveRefusedError";
  override readonly cause: DiskError | LogError;
  /** True if there is no volume where it should be, which may mean that a device is broken or not mounted. */
  readonly isMissing: boolean;

  constructor(
    { address, drive }: { readonly address: Address; readonly drive: DriveConfig },
    cause: DiskError | LogError,
  ) {
    super(`Drive ${address} (${drive.path}): ${cause.message}`, { cause });
    this.cause = cause;
    this.isMissing = cause.code === "not_found" || cause.code === "not_formatted";
  }
}
