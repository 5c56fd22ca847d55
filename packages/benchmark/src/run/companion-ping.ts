/**
 * Round trip beside a sample: one TCP connection to the same address, in the pause after the operation. All its cost
 * falls into that pause. A late ping is abandoned while the next operation can still begin on time.
 */
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import type { ExchangeOptions } from "../wire/connection.ts";
import type { Ping } from "../wire/ping.ts";
import { ms } from "./sample.ts";

/** A shorter pause has no time to connect, disconnect and prepare the next operation. */
const PAUSE_MS_MIN = 5;
/** End of a pause, in which the ping is closed and the next request is signed. */
const RESERVED_MS = 2;
const BUDGET_MS_MIN = 1;

export type PingAddress = (
  target: { readonly address: string; readonly port: number },
  options: ExchangeOptions,
) => Promise<Ping>;

/** Both fields are absent if no ping was sent, because processing the answer had used up the pause. */
export type RoundTrip = Pick<BenchmarkSample, "rttMs" | "rttMissing">;

interface RoundTripParameters {
  readonly measuresRtt: boolean;
  readonly pauseMs: number;
  readonly connectionCount?: number;
  readonly mode?: "closed" | "constant-rate";
}

/** Returns the pause for a ping; null if pauses are too short, or something else is being timed in them. */
export function rttPause({
  measuresRtt,
  pauseMs,
  connectionCount = 1,
  mode = "closed",
}: RoundTripParameters): number | null {
  const isFree = connectionCount === 1 && mode === "closed" && pauseMs >= PAUSE_MS_MIN;
  return measuresRtt && isFree ? pauseMs : null;
}

interface CompanionPing {
  readonly ping: PingAddress;
  readonly target: { readonly address: string; readonly port: number };
  /** Reading of `performance.now()`. */
  readonly pauseEndsAt: number;
  readonly signal: AbortSignal;
}

/** Resolves before the pause ends, even if the ping is late, and when aborted. */
export async function pingInPause({ ping, target, pauseEndsAt, signal }: CompanionPing): Promise<RoundTrip> {
  const budgetMs = Math.floor(pauseEndsAt - RESERVED_MS - performance.now());
  if (budgetMs < BUDGET_MS_MIN || signal.aborted) return {};
  const result = await new Promise<Ping | null>((resolve) => {
    const timer = setTimeout(resolve, budgetMs, null);
    ping(target, { timeoutMs: budgetMs, signal })
      .then(resolve, () => resolve(null))
      .finally(() => clearTimeout(timer));
  });
  if (signal.aborted) return {};
  if (result === null || result.outcome === "timed-out") return { rttMissing: "not-in-time" };
  return result.outcome === "ok"
    ? { rttMs: ms(result.endedAt - result.startedAt) }
    : { rttMissing: "failed" };
}
