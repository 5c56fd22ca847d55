/** Refusals and failures of a log. Callers distinguish them by code; the message is for people who read the report. */
const logErrorCodes = [
  "invalid_record",
  "record_too_large",
  "payload_mismatch",
  "log_full",
  "log_busy",
  "log_poisoned",
  "log_closed",
  "not_found",
  "record_corrupt",
  "io_failed",
  "resume_failed",
  "invalid_options",
  "not_formatted",
  "already_formatted",
  "unsupported_format",
  "foreign_cluster",
  "foreign_device",
  "wrong_geometry",
  "volume_corrupt",
] as const;

export type LogErrorCode = (typeof logErrorCodes)[number];

export class LogError extends Error {
  override readonly name = "LogError";
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export type LogDone = (error: LogError | null) => void;
