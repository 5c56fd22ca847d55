import { formatQuantity } from "@stashlight/ui/chart";

/** Formats a duration in its own unit, "785 ms" or "1.53 s": the same in the list of uploads and in a waterfall. */
export function formatSeconds(seconds: number): string {
  const { value, unit } = formatQuantity("seconds", seconds);
  return `${value} ${unit}`;
}
