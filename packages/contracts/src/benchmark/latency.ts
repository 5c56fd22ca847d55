/** Defines the moment from which the latency of an operation counts. */

type Timed = Readonly<{
  wireMs: number;
  perceivedMs: number;
  intendedDelayMs?: number | undefined;
}>;

/** A start that comes this much after it was due is late: the client had no free connection, or was busy itself. */
export const lateStartMsMin = 5;

/**
 * Time that a client waited for an operation: from the moment it was due where a rate was asked for, otherwise from when it
 * was written. A client that starts late because of a stall waits for that too (G. Tene, "How NOT to Measure Latency").
 */
export const latencyMs = ({
  wireMs,
  intendedDelayMs = 0,
}: Pick<Timed, "wireMs" | "intendedDelayMs">): number => intendedDelayMs + wireMs;

/** How late the first attempt started; null where no rate was asked for. The stored delay is that of the last attempt. */
export const startDelayMs = ({ wireMs, perceivedMs, intendedDelayMs }: Timed): number | null =>
  intendedDelayMs === undefined ? null : Math.max(0, intendedDelayMs - (perceivedMs - wireMs));
