/**
 * Delay before the next attempt to connect: doubles each time up to the maximum, minus a random half so that nodes that
 * lost the same server do not return together. `random` is from 0 to below 1.
 */
export function reconnectDelayMs(
  attempt: number,
  random: number,
  { reconnectMsMin, reconnectMsMax }: { reconnectMsMin: number; reconnectMsMax: number },
): number {
  const wholeMs = Math.min(reconnectMsMax, reconnectMsMin * 2 ** Math.min(attempt, 30));
  return wholeMs * (1 - random / 2);
}
