import { cx } from "../core/cx.ts";
import { prepareSparkline, type SparklineInput, sparklineBox } from "./prepare-sparkline.ts";

export type SparklineTone = "stash" | "pod" | "direct" | "coordinator";

const ground: Record<SparklineTone, string> = {
  stash: "text-stash",
  pod: "text-pod",
  direct: "text-direct",
  coordinator: "text-coordinator",
};

export interface SparklineProps extends SparklineInput {
  readonly tone: SparklineTone;
  /** Bars for counts per window, a line for levels. */
  readonly kind: "line" | "bars";
  /** Full text alternative of the picture. */
  readonly label: string;
  readonly className?: string;
}

/** History of a value, drawn without axes. */
export function Sparkline({ tone, kind, label, className, ...input }: SparklineProps) {
  const { line, area, bars } = prepareSparkline(input);
  const { width, height } = sparklineBox;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={cx("h-7 min-w-0", ground[tone], className)}
    >
      <title>{label}</title>
      <path d={`M0 ${height}H${width}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
      {kind === "bars" && <path d={bars} fill="currentColor" />}
      {kind === "line" && (
        <>
          <path d={area} fill="currentColor" opacity={0.14} />
          <path
            d={line}
            fill="none"
            stroke="currentColor"
            strokeWidth={1.5}
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
    </svg>
  );
}
