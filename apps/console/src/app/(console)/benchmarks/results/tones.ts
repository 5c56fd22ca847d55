import type { BenchmarkEndpointRef } from "@stashlight/contracts/benchmark/result";
import type { ChartTone, LineWeight } from "@stashlight/ui/chart";
import { seriesTones } from "../../../../client/metrics/series-tones.ts";

const weights: readonly LineWeight[] = ["strong", "medium", "dotted", "light"];

/**
 * An endpoint looks the same on every page: paths of a vault have fixed colours, other endpoints that of their position
 * among all endpoints. A deleted one uses its position here. Beyond six, line weight distinguishes them, never colour
 * alone.
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
