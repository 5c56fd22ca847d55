/**
 * How long to wait before the next attempt to connect: twice as long each time up to the most, of which a random half
 * is left out so that nodes that lost the same server do not return together. `random` is from 0 to below 1.
 */
export function reconnectDelayMs(
  attempt: number,
  random: number,
  { reconnectMsMin, reconnectMsMax }: { reconnectMsMin: number; reconnectMsMax: number },
): number {
  const wholeMs = Math.min(reconnectMsMax, reconnectMsMin * 2 ** Math.min(attempt, 30));
  return wholeMs * (1 - random / 2);
}
