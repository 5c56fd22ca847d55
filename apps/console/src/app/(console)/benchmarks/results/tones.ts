import type { BenchmarkEndpointRef } from "@stashlight/contracts/benchmark/result";
import type { ChartTone, LineWeight } from "@stashlight/ui/chart";
import { seriesTones } from "../../../../client/metrics/series-tones.ts";

const weights: readonly LineWeight[] = ["strong", "medium", "dotted", "light"];

/**
 * An endpoint has one look on every page: the paths of a vault have theirs, and others that of their place among all
 * endpoints. A deleted one takes the place it has here. Beyond six the weight tells them apart; never colour alone.
 */
export function lookOf(
  { name, place }: Pick<BenchmarkEndpointRef, "name" | "place">,
  here: number,
): { tone: ChartTone; weight: LineWeight } {
  const at = place ?? here;
  const weight = weights[here % weights.length] ?? "strong";
  if (/\bstash path$/i.test(name)) return { tone: "stash", weight };
  if (/\bdirect path$/i.test(name)) return { tone: "direct", weight };
  return { tone: seriesTones[at % seriesTones.length] ?? "series-1", weight };
}
