import type { ChartTone, LineWeight } from "./model.ts";

const dashes: Record<LineWeight, string | undefined> = {
  strong: undefined,
  medium: undefined,
  light: "4 2",
  dotted: "1.5 2",
  previous: "1 3",
};

/** Line style shown beside its name. */
export function Swatch({ tone, weight }: { tone: ChartTone; weight: LineWeight }) {
  return (
    <svg width="14" height="8" aria-hidden="true" className="shrink-0" style={{ color: `var(--${tone})` }}>
      <line
        x1="0"
        x2="14"
        y1="4"
        y2="4"
        stroke="currentColor"
        strokeWidth={weight === "strong" ? 2.5 : 1.5}
        strokeDasharray={dashes[weight]}
        opacity={weight === "strong" ? 1 : 0.75}
      />
    </svg>
  );
}
