import { cx } from "../core/cx.ts";
import { Skeleton } from "../feedback/progress.tsx";

/** Style of the box around every chart. */
export const chartFrameClass =
  "relative flex min-w-0 flex-col gap-2 rounded-md border border-line bg-surface px-3 pt-2.5 pb-2";

/** Default height when `heightPx` is not given. */
export const CHART_HEIGHT_PX = 200;

interface ChartFrameProps {
  readonly title: string;
  readonly metric: string;
  readonly heightPx?: number | undefined;
  readonly className?: string | undefined;
}

/** Placeholder with a chart's size and question. */
export function ChartFrame({ title, metric, heightPx = CHART_HEIGHT_PX, className }: ChartFrameProps) {
  return (
    <div aria-busy="true" className={cx(chartFrameClass, className)}>
      <div>
        <p className="text-base font-medium text-pretty text-ink">{title}</p>
        <p className="text-sm text-pretty text-faint">{metric}</p>
      </div>
      <Skeleton height={heightPx} isExact />
      <p className="min-h-4 text-sm" />
    </div>
  );
}
