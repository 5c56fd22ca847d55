import { cx } from "./cx.ts";

/** Announced with a label; without one it is decorative, beside text that reports the work. */
export function Spinner({
  label,
  size = 16,
  className,
}: {
  label?: string;
  size?: number;
  className?: string;
}) {
  const ring = (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      aria-hidden="true"
      className={cx("animate-spin", !label && className)}
    >
      <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
  if (!label) return ring;
  return (
    <span role="status" className={cx("inline-flex items-center gap-2 text-muted", className)}>
      {ring}
      <span>{label}</span>
    </span>
  );
}
