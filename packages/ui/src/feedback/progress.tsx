import { cx } from "../core/cx.ts";

/** A grey block of the size of what is coming, so that nothing moves when it comes. */
export function Skeleton(props: { width?: number | string; height?: number | string; className?: string }) {
  const { width = "100%", height = 16, className } = props;
  return (
    <span
      aria-hidden="true"
      data-skeleton=""
      style={{ width, height }}
      className={cx("block max-w-full rounded-sm bg-unknown-soft", className)}
    />
  );
}

export type ProgressBarProps = {
  label: string;
  /** 0 to 1, or null where the end is not known. */
  value: number | null;
  /** What is done and how long it still takes: "4 of 10 files, 20 s left". */
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
