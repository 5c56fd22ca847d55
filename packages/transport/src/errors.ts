/** Reasons why a frame is unreadable. Callers count by code; the message is for the log. */
const frameErrorCodes = ["magic", "header", "too_large", "checksum", "kind", "malformed"] as const;

export type FrameErrorCode = (typeof frameErrorCodes)[number];

/** Bytes that are not a frame of this protocol. The bytes after them cannot be trusted, so the connection is closed. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly code: FrameErrorCode;

  constructor(code: FrameErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
