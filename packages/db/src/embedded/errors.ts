import { dirname } from "node:path";

export type EmbeddedPostgresErrorCode =
  | "unsupported_platform"
  | "other_major_version"
  | "broken_data"
  | "disk_full"
  | "no_permission"
  | "other_owner"
  | "port_taken"
  | "still_in_use"
  | "start_failed";

/** Anything that keeps the bundled Postgres from running, described in one sentence for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Explains a failed system call on one of our files in a sentence. */
export function explainFileError(error: unknown, path: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull(path, error);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return noPermission(path, error);
  return new EmbeddedPostgresError("start_failed", `The database could not use ${path}: ${message}.`, error);
}

/** Explains the failure of a Postgres program in a sentence, based on its output. */
export function explainOutput(output: string, dataDirectory: string): EmbeddedPostgresError {
  const cause = new Error(output.trim() || "It wrote nothing.");
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(dataDirectory, cause);
  if (/could not bind|Address already in use/.test(output)) {
    return new EmbeddedPostgresError("port_taken", "The port of the database is taken.", cause);
  }
  if (/pre-existing shared memory block|lock file "postmaster\.pid" already exists/.test(output)) {
    return new EmbeddedPostgresError(
      "still_in_use",
      `Another Postgres still uses ${dataDirectory}; end it and start again.`,
      cause,
    );
  }
  if (/Permission denied|Read-only file system|Operation not permitted/.test(output)) {
    return noPermission(dataDirectory, cause);
  }
  const reason = lastReason(output);
  return new EmbeddedPostgresError("start_failed", `The bundled Postgres did not start: ${reason}.`, cause);
}

function diskFull(path: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "disk_full",
    `The disk below ${dirname(path)} is full; free some space and start again.`,
    cause,
  );
}

function noPermission(path: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "no_permission",
    `There is no permission to use ${path}; start as the user who owns it, or choose another data folder.`,
    cause,
  );
}

/** Returns the last line with a severity, or else the last line. */
function lastReason(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const weighty = lines.findLast((line) => /(FATAL|PANIC|ERROR|error): /.test(line));
  const line = weighty ?? lines.at(-1) ?? "it wrote nothing";
  return line.replace(/^.*?(FATAL|PANIC|ERROR|error):\s+/, "").replace(/\.$/, "");
}
