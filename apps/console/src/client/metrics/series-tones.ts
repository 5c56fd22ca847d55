import type { ChartTone } from "@stashlight/ui/chart";

/** Colours of lines without a fixed colour, in order. More cannot be distinguished. */
export const seriesTones: readonly ChartTone[] = [
  "series-1",
  "series-2",
  "series-3",
  "series-4",
  "series-5",
  "series-6",
];
