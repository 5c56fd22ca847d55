import { setTimeout as delay } from "node:timers/promises";
import { S3ClientError } from "@stashlight/s3/client";

/** Maximum time that a vault may answer "try again": its pods settle, or its machine is busy. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 250;

/** Retries a request while that may help; then rejects with the last error. */
export async function retryWhileUnavailable<Result>(action: () => Promise<Result>): Promise<Result> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      const isWorthAnother = error instanceof S3ClientError && error.isRetryable;
      if (!isWorthAnother || performance.now() > deadlineMs) throw error;
      await delay(PAUSE_MS);
    }
  }
}
