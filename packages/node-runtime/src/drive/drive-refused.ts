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

/** The folder holds another drive's volume, another format's, none at all, or is used by another process. */
export function isMisplaced(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && MISPLACED.has(code);
}

/** The device failed a read, a write or a sync, which may pass. */
export function hasNotAnswered(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === "io" || code === "io_failed";
}

/** A folder that is not the drive's, in words for the person who is to mend that. */
export class DriveRefusedError extends Error {
  override readonly name = "DriveRefusedError";
  override readonly cause: DiskError | LogError;
  /** There is no volume where it should be: a device that is broken or not mounted looks like that. */
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
