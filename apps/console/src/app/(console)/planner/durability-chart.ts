/** Nines against the size of the HDDs: a curve for each scheme, and the target. */
import type { Durability } from "@stashlight/planner";
import { type PreparedFigure, prepareCurves } from "@stashlight/ui/figure";

const TB = 1e12;
const TICKS_TB = [8, 16, 24, 32, 40, 48];
const tones = ["stash", "pod", "good", "direct"] as const;

/** Empty if a rebuild takes too long at every drawn size. */
export function durabilityFigure({ schemes, targetNines }: Durability): PreparedFigure {
  const sizes = schemes[0]?.bySize.map(({ sizeBytes }) => sizeBytes / TB) ?? [];
  const [first = 0, last = 0] = [sizes[0], sizes.at(-1)];
  const curves =
    sizes.length < 2
      ? []
      : [
          ...schemes.map(({ dataShards, parityShards, bySize, isPlanned }, at) => ({
            label: `${dataShards}+${parityShards}${isPlanned ? ", planned" : ""}`,
            tone: tones[at % tones.length] ?? "stash",
            isDashed: false,
            points: bySize.map(({ sizeBytes, nines }) => [sizeBytes / TB, nines] as const),
          })),
          {
            label: "target",
            tone: "warning" as const,
            isDashed: true,
            points: [
              [first, targetNines],
              [last, targetNines],
            ] as const,
          },
        ];
  return prepareCurves(curves, {
    quantity: "count",
    yLabel: "nines a year",
    xLabel: "size of an HDD, TB",
    xMax: last,
    xTicks: TICKS_TB.filter((size) => size <= last).map((size) => ({ x: size, label: `${size}` })),
  });
}
