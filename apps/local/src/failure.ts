/** A reason not to start or to stop, in one sentence with the remedy. The exit code is then 1. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** Lines of a log that show the cause; printed below the sentence. */
  readonly evidence: string[];

  constructor(message: string, options: { cause?: unknown; evidence?: string[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.evidence = options.evidence ?? [];
  }
}

/** Describes a failed system call on one of the installation's files. */
export function explainFileError(error: unknown, path: string): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new Failure(`The disk of ${path} is full; free some space and start again.`, { cause: error });
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new Failure(
      `There is no permission to write ${path}; start as the user who owns it, or choose another data folder with --data.`,
      { cause: error },
    );
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new Failure(`${path} is not a folder; choose another data folder with --data.`, { cause: error });
  }
  return new Failure(`${path} could not be used: ${message}.`, { cause: error });
}
