/** Reasons why a backup cannot be written, read or restored, each in one sentence with a remedy. */
import { StashlightError } from "@stashlight/contracts/errors";
import pg from "pg";

export const invalid = (sentence: string, cause?: unknown): StashlightError =>
  new StashlightError("invalid_input", sentence, cause === undefined ? {} : { cause });

export const refused = (sentence: string, cause?: unknown): StashlightError =>
  new StashlightError("precondition_failed", sentence, cause === undefined ? {} : { cause });

export const noBackup = (path: string): StashlightError =>
  invalid(`${path} is not a backup of Stashlight's console. Name a file that npm run backup wrote.`);

export const cutOffOrChanged = (path: string, detail: string): StashlightError =>
  invalid(
    `${path} is not whole: it was cut off or changed (${detail}). Nothing was restored; use another backup.`,
  );

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const readAdvice: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file. Check its name",
  ENOTDIR: "a part of its path is not a folder. Check its name",
  EACCES: "this user has no permission. Run as a user who may read it",
  EPERM: "this user has no permission. Run as a user who may read it",
  EIO: "its drive reports an error. Use a copy on another drive",
};

export function explainReadError(error: unknown, path: string): StashlightError {
  if (error instanceof StashlightError) return error;
  const code = errorCode(error) ?? (error as Error).message;
  const advice = readAdvice[code] ?? `${(error as Error).message}. Use a copy on another drive`;
  return invalid(`${path} cannot be read (${code}): ${advice}.`, error);
}

const writeAdvice: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space, or name a file on another disk",
  EDQUOT: "this user's quota is used up. Free some space, or name a file on another disk",
  EFBIG: "the file system does not allow a file this large. Name a file on another disk",
  ENOENT: "its folder does not exist. Create the folder, or name another file",
  ENOTDIR: "a part of its path is not a folder. Name another file",
  EISDIR: "a folder is in its place. Name another file",
  ERR_FS_EISDIR: "a folder is in its place. Name another file",
  EACCES: "this user has no permission. Run as another user, or name another file",
  EPERM: "this user has no permission. Run as another user, or name another file",
  EROFS: "the file system is read-only. Name a file on another one",
  EIO: "the drive reports an error. Name a file on another drive",
};

/** Explains errors of system calls only; errors from the source of rows pass through unchanged. */
export function explainWriteError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall === undefined) return error;
  const code = errorCode(error) ?? "";
  const advice = writeAdvice[code] ?? `${error.message}. Name another file`;
  return refused(`The backup ${path} was not written (${code}): ${advice}.`, error);
}

const databaseAdvice: Readonly<Record<string, string>> = {
  "53100": "its disk is full. Free some space and run the command again",
  "53200": "it has too little memory. Give it more and run the command again",
  "42501": "this login has too few rights. Use the role that owns the schema",
  "57P01": "an administrator ended the connection. Run the command again",
};

/** Explains an error of Postgres, or a lost connection; passes everything else through unchanged. */
export function explainDatabaseError(error: unknown, outcome: string): unknown {
  if (error instanceof StashlightError || !(error instanceof Error)) return error;
  const code = errorCode(error);
  if (error instanceof pg.DatabaseError) {
    const advice = databaseAdvice[code ?? ""] ?? `${error.message}. See the log of Postgres`;
    return refused(`${outcome}: Postgres answered ${code ?? "with an error"}, ${advice}.`, error);
  }
  const isLost =
    /^(ECONN|EPIPE|ETIMEDOUT)/.test(code ?? "") || /^Connection terminated|^Client /.test(error.message);
  if (!isLost) return error;
  return new StashlightError(
    "unavailable",
    `${outcome}: the connection to Postgres was lost (${error.message}). Run the command again when Postgres is back.`,
    { cause: error },
  );
}
