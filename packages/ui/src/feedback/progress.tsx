import { cx } from "../core/cx.ts";

export type SkeletonProps = {
  width?: number | string;
  /** Height of the coming content if known; 0 if there may be none. */
  height?: number | string;
  /** True if the content has exactly this height. Otherwise everything below it appears together with it. */
  isExact?: boolean;
  className?: string;
};

/** Grey placeholder block. Nothing on the page moves when the content arrives (see base.css). */
export function Skeleton(props: SkeletonProps) {
  const { width = "100%", height = 16, isExact = false, className } = props;
  return (
    <span
      aria-hidden="true"
      data-skeleton={isExact ? "exact" : "estimate"}
      style={{ width, height }}
      className={cx("block max-w-full rounded-sm bg-unknown-soft", className)}
    />
  );
}

export type ProgressBarProps = {
  label: string;
  /** 0 to 1, or null if the end is unknown. */
  value: number | null;
  /** Progress and remaining time: "4 of 10 files, 20 s left". */
  detail?: string;
  className?: string;
};

export function ProgressBar({ label, value, detail, className }: ProgressBarProps) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div className={cx("flex flex-col gap-1", className)}>
      <div className="flex justify-between gap-4 text-sm">
        <span className="text-ink">{label}</span>
        <span className="text-faint">{detail ?? (percent === null ? "" : `${percent} %`)}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        aria-valuetext={detail}
        className="h-1.5 overflow-hidden rounded-full bg-unknown-soft"
      >
        <div
          style={percent === null ? undefined : { width: `${percent}%` }}
          className={cx("h-full rounded-full bg-accent", percent === null && "w-2/5 animate-slide")}
        />
      </div>
    </div>
  );
}
