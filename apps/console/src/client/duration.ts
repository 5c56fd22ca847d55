import { formatSpan } from "@stashlight/ui";

/** Formats milliseconds: "840 ms", "1.4 s", "12 s", "3 min". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 10_000) return `${(durationMs / 1_000).toFixed(1)} s`;
  return formatSpan(durationMs);
}
