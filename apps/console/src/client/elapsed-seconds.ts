import { useNow } from "@stashlight/ui";

const STEP_MS = 5_000;

/** Seconds since the server's answer, by which its ages have grown; in steps of five. */
export function useElapsedSeconds(answeredAtMs: number | undefined): number {
  const nowMs = useNow(STEP_MS);
  return nowMs === null || answeredAtMs === undefined ? 0 : Math.max(0, nowMs - answeredAtMs) / 1000;
}
