import { S3ClientError } from "@stashlight/s3/client";

export interface RetrierOptions {
  /** Minimum interval between the starts of two requests. */
  readonly everyMs: number;
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Called once when the vault stops taking requests, and once when it takes them again. */
  readonly observe: (event: { type: "waiting"; error: S3ClientError } | { type: "again" }) => void;
}

/** Runs requests one after another at the allowed rate, and retries each while that may help. */
export function createRetrier(options: RetrierOptions) {
  const { everyMs, firstDelayMs, delayMsMax, nowMs, sleep, observe } = options;
  let nextMs = nowMs();
  return async <Result>(action: () => Promise<Result>): Promise<Result> => {
    const waitMs = nextMs - nowMs();
    if (waitMs > 0) await sleep(waitMs);
    nextMs = nowMs() + everyMs;
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, delayMsMax)) {
      try {
        const result = await action();
        if (delayMs > firstDelayMs) observe({ type: "again" });
        return result;
      } catch (error) {
        if (!(error instanceof S3ClientError && error.isRetryable)) throw error;
        if (delayMs === firstDelayMs) observe({ type: "waiting", error });
        await sleep(delayMs);
      }
    }
  };
}
