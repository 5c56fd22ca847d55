import { setTimeout as delay } from "node:timers/promises";
import { LeaseLostError } from "./lease.ts";

export interface Beats {
  readonly beatMs: number;
  readonly renew: () => Promise<void>;
  /** Called once, when another process holds the lease. */
  readonly onLost: () => void;
  /** Called for heartbeats that failed; the next one retries, unless this throws. */
  readonly onError: (error: unknown) => void;
}

/**
 * Renews a lease at every heartbeat; resolves when it is lost, or when `over` is aborted and the last heartbeat has
 * ended.
 */
export async function keepRenewed(
  { beatMs, renew, onLost, onError }: Beats,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      await delay(beatMs, undefined, { signal: over });
      await renew();
    } catch (error) {
      if (over.aborted) return;
      if (error instanceof LeaseLostError) return onLost();
      onError(error);
    }
  }
}
