import { setTimeout as delay } from "node:timers/promises";
import { LeaseLostError } from "./lease.ts";

export interface Beats {
  readonly beatMs: number;
  readonly renew: () => Promise<void>;
  /** Called once, if another process has taken the lease. */
  readonly onLost: () => void;
  /** Called for failed heartbeats; the next one retries, unless this throws. */
  readonly onError: (error: unknown) => void;
}

/**
 * Renews a lease at every heartbeat; resolves when it is lost, or after `over` was aborted and the last heartbeat has
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
