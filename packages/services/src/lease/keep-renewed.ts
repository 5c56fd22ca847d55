import { setTimeout as delay } from "node:timers/promises";
import { LeaseLostError } from "./lease.ts";

export interface Beats {
  readonly beatMs: number;
  readonly renew: () => Promise<void>;
  /** Told once, when the lease is somebody else's. */
  readonly onLost: () => void;
  /** Hears of beats that failed; the next one tries again, unless it throws. */
  readonly onError: (error: unknown) => void;
}

/** Renews a lease every beat; resolves when it is lost, or when `over` is aborted and the last beat has ended. */
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
