import type { ServerResponse } from "node:http";
import { StashlightError, toStashlightError } from "@stashlight/contracts/errors";
import { isDatabaseUnavailable, isStorageFull, storageFullError } from "@stashlight/services/database-error";

export interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly contentType: string;
  readonly retryAfterSeconds?: number;
}

/** An answer thrown as an exception by the code that decides it. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer, options?: ErrorOptions) {
    super(`answered ${answer.status}`, options);
    this.answer = answer;
  }
}

export function json(status: number, value: unknown): Answer {
  return { status, body: `${JSON.stringify(value)}\n`, contentType: "application/json; charset=utf-8" };
}

export const refusal = (status: number, message: string, more: Partial<Answer> = {}): Refusal =>
  new Refusal({ ...json(status, { message }), ...more });

const RETRY_AFTER_SECONDS = 5;

/**
 * Converts a failure into an answer: an unavailable database asks for a retry, and internal failures reveal nothing.
 */
export function answerTo(thrown: unknown): Answer {
  if (thrown instanceof Refusal) return thrown.answer;
  const error = asStashlightError(thrown);
  const { code, message, status } = error;
  const canBeRetried = code === "unavailable" || code === "storage_full" || code === "rate_limited";
  return {
    ...json(status, { code, message }),
    ...(canBeRetried ? { retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_SECONDS } : {}),
  };
}

function asStashlightError(thrown: unknown): StashlightError {
  if (thrown instanceof StashlightError) return thrown;
  if (isStorageFull(thrown)) return storageFullError(thrown);
  if (isDatabaseUnavailable(thrown)) {
    return new StashlightError("unavailable", "The database does not answer; try again later.");
  }
  return toStashlightError(thrown);
}

export function send(response: ServerResponse, answer: Answer, closes: boolean): void {
  if (closes) response.setHeader("connection", "close");
  if (answer.retryAfterSeconds !== undefined) response.setHeader("retry-after", answer.retryAfterSeconds);
  response.writeHead(answer.status, {
    "content-type": answer.contentType,
    "content-length": Buffer.byteLength(answer.body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(answer.body);
}
