import type { ChartTone } from "@stashlight/ui/chart";

/** The colours of lines that have no meaning of their own, in order. More cannot be told apart. */
export const seriesTones: readonly ChartTone[] = [
  "series-1",
  "series-2",
  "series-3",
  "series-4",
  "series-5",
  "series-6",
];
