/** A mistake in the arguments, explained in one sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
