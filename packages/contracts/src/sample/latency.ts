/** Defines the moment from which an operation's latency counts. */

type Timed = Readonly<{
  wireMs: number;
  perceivedMs: number;
  intendedDelayMs?: number | undefined;
}>;

/** Delay from which an operation counts as started late: the client had no free connection, or was busy itself. */
export const lateStartMsMin = 5;

/**
 * Returns the time that a client waited for an operation: from its due moment if a rate was requested, otherwise from
 * when it was written. A client that starts late because of a stall waits for that too (G. Tene, "How NOT to Measure
 * Latency").
 */
export const latencyMs = ({
  wireMs,
  intendedDelayMs = 0,
}: Pick<Timed, "wireMs" | "intendedDelayMs">): number => intendedDelayMs + wireMs;

/**
 * Returns the delay of the first attempt's start; null if no rate was requested. The stored delay is that of the last
 * attempt.
 */
export const startDelayMs = ({ wireMs, perceivedMs, intendedDelayMs }: Timed): number | null =>
  intendedDelayMs === undefined ? null : Math.max(0, intendedDelayMs - (perceivedMs - wireMs));
