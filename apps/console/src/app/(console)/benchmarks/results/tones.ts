import type { BenchmarkEndpointRef } from "@stashlight/contracts/benchmark";
import type { ChartTone, LineWeight } from "@stashlight/ui/chart";
import { seriesTones } from "../../../../client/metrics/series-tones.ts";

const weights: readonly LineWeight[] = ["strong", "medium", "dotted", "light"];

/**
 * Gives an endpoint the same colour on every page. Paths of a vault have fixed colours; other endpoints take the colour
 * of their position among all endpoints, and a deleted one that of its position here. Beyond six endpoints, line weight
 * distinguishes them, never colour alone.
 */
export function endpointLine(
  { name, place }: Pick<BenchmarkEndpointRef, "name" | "place">,
  here: number,
): { tone: ChartTone; weight: LineWeight } {
  const at = place ?? here;
  const weight = weights[here % weights.length] ?? "strong";
  if (/\bstash path$/i.test(name)) return { tone: "stash", weight };
  if (/\bdirect path$/i.test(name)) return { tone: "direct", weight };
  return { tone: seriesTones[at % seriesTones.length] ?? "series-1", weight };
}
