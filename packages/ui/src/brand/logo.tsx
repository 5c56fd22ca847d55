import { cx } from "../core/cx.ts";

// A vault seen from above: nine shards, one of them lit.
const cells = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => ({ row, column })));
const isLit = ({ row, column }: { row: number; column: number }) => row === 0 && column === 2;

/** Decorative by default; with a title it is announced as an image. */
function Logo({ size = 20, title, className }: { size?: number; title?: string; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      role={title ? "img" : undefined}
      aria-label={title}
      aria-hidden={title ? undefined : true}
      className={cx("shrink-0", className)}
    >
      {cells.map((cell) => (
        <rect
          key={`${cell.row}-${cell.column}`}
          x={1 + cell.column * 6.5}
          y={1 + cell.row * 6.5}
          width="5"
          height="5"
          rx="1.25"
          fill={isLit(cell) ? "var(--accent-ink)" : "currentColor"}
          opacity={isLit(cell) ? 1 : 0.2 + 0.09 * (cell.column + (2 - cell.row))}
        />
      ))}
    </svg>
  );
}

export function Wordmark({ size = 20, className }: { size?: number; className?: string }) {
  return (
    <span className={cx("inline-flex items-center gap-2 text-ink", className)}>
      <Logo size={size} />
      <span style={{ fontSize: size * 0.8 }} className="font-semibold tracking-[-0.015em]">
        Stashlight
      </span>
    </span>
  );
}
