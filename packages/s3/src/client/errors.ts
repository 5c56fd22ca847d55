import type { IncomingHttpHeaders } from "node:http";

/**
 * Reasons why a request has no result:
 * - `answered`: the server refused it; `code` is S3's, such as NoSuchKey or SlowDown
 * - `unreachable`: there was no connection, or it broke before the answer was complete
 * - `timeout`: the server was silent for too long
 * - `malformed`: the answer does not follow the S3 protocol
 */
export type S3ClientErrorKind = "answered" | "unreachable" | "timeout" | "malformed";

export interface S3ClientErrorOptions {
  readonly code: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly cause?: unknown;
}

export class S3ClientError extends Error {
  override readonly name = "S3ClientError";
  readonly kind: S3ClientErrorKind;
  /** S3's code; for the other kinds a system code such as ECONNREFUSED, or a code of this client. */
  readonly code: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** The headers of the answer; empty when there was none. */
  readonly headers: IncomingHttpHeaders;

  constructor(kind: S3ClientErrorKind, message: string, options: S3ClientErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = options.code;
    this.status = options.status ?? null;
    this.requestId = options.requestId ?? null;
    this.headers = options.headers ?? {};
  }

  /** True if the same request may succeed later. A write without an answer may still have been carried out. */
  get isRetryable(): boolean {
    if (this.kind !== "answered") return this.kind !== "malformed";
    return (this.status !== null && this.status >= 500) || RETRYABLE_CODES.has(this.code);
  }
}

const RETRYABLE_CODES: ReadonlySet<string> = new Set(["ConditionalRequestConflict", "RequestTimeout"]);
