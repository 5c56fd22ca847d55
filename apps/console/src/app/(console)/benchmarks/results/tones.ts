import type { ChartTone, LineWeight } from "@stashlight/ui/chart";

const tones: readonly ChartTone[] = ["accent-ink", "coordinator", "good", "warning"];
const weights: readonly LineWeight[] = ["strong", "medium", "dotted", "light"];

/** The paths of a vault have their colours everywhere; other endpoints get the next one. Never by colour alone. */
export function lookOf(name: string, place: number): { tone: ChartTone; weight: LineWeight } {
  const weight = weights[place % weights.length] ?? "strong";
  if (/\bstash path$/i.test(name)) return { tone: "stash", weight };
  if (/\bdirect path$/i.test(name)) return { tone: "direct", weight };
  return { tone: tones[place % tones.length] ?? "accent-ink", weight };
}
