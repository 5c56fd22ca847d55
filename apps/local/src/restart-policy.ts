/**
 * Decides when a failed part is restarted. There is no last attempt: a part that is given up would never come back, and
 * stopping the others would take S3 down.
 *
 *     steady   --failure-->                          unsteady
 *     unsteady --failure, the `failingFrom`th-->     failing
 *     unsteady, failing --runs for `steadyAfterMs`-->  steady
 *
 * Each failure doubles the delay before the next start, up to a bound.
 */
import assert from "node:assert/strict";

export interface RestartPolicy {
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
  /** Time after which the part counts as working: its next failure counts as the first again. */
  readonly steadyAfterMs: number;
  /** Number of consecutive failures from which a part counts as failing. */
  readonly failingFrom: number;
}

/**
 * Counts failures up to five minutes apart as consecutive, so that an alert about them lasts longer than its evaluation
 * interval.
 */
export const restartPolicy: RestartPolicy = {
  firstDelayMs: 500,
  delayMsMax: 60_000,
  steadyAfterMs: 300_000,
  failingFrom: 3,
};

export interface RestartState {
  readonly failuresInARow: number;
  /** Time of the first of these failures. */
  readonly sinceMs: number | null;
}

export const steady: RestartState = { failuresInARow: 0, sinceMs: null };

export interface PartFailure {
  readonly atMs: number;
  /** Time that the part had run; 0 if it was never ready. */
  readonly ranMs: number;
}

export interface Restart {
  readonly state: RestartState;
  readonly restartInMs: number;
}

export function afterFailure(
  before: RestartState,
  { atMs, ranMs }: PartFailure,
  policy: RestartPolicy,
): Restart {
  assert(ranMs >= 0, "a part cannot have run for a negative time");
  const { failuresInARow, sinceMs } = ranMs >= policy.steadyAfterMs ? steady : before;
  const restartInMs = Math.min(policy.delayMsMax, policy.firstDelayMs * 2 ** failuresInARow);
  return { state: { failuresInARow: failuresInARow + 1, sinceMs: sinceMs ?? atMs }, restartInMs };
}

export const isFailing = ({ failuresInARow }: RestartState, { failingFrom }: RestartPolicy): boolean =>
  failuresInARow >= failingFrom;
