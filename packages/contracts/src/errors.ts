/**
 * The only error tree. The code decides what a caller can do (retry, sign in, correct the input); the message is a
 * sentence for a person. It is mapped to HTTP once, in the tRPC middleware and in each edge that has a wire form.
 */
export const errorStatus = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  link_expired: 410,
  precondition_failed: 412,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export interface StashlightErrorOptions {
  cause?: unknown;
  /** Input field that the sentence is about, so that a form can show it in place. */
  field?: string;
  /** Time after which a retry may help; for `rate_limited`, `unavailable` and `storage_full`. */
  retryAfterSeconds?: number;
}

export class StashlightError extends Error {
  override readonly name = "StashlightError";
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: StashlightErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.field = options.field;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/**
 * Converts anything thrown to a StashlightError: unknown failures become `internal`, whose text never leaves the
 * server.
 */
export function toStashlightError(thrown: unknown): StashlightError {
  if (thrown instanceof StashlightError) return thrown;
  return new StashlightError("internal", "Something failed on the server; its log has the details.", {
    cause: thrown,
  });
}
