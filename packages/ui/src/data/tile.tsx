"use client";
import type { ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { formatCount } from "../core/format.ts";
import { UiLink } from "../core/provider.tsx";
import { type Status, statusWord } from "../core/status.ts";
import { StatusShape } from "../feedback/status.tsx";

export type TileProps = {
  title: string;
  /** The formatted value; null where it is missing, with the reason in `missing`. */
  value: ReactNode | null;
  unit?: string;
  /** Statistic or period: "p99", "last 24 h". */
  statistic?: string;
  /** Sample count. */
  n?: number;
  /** Age: "8 s ago", or a <Time>. */
  age?: ReactNode;
  source?: string;
  status?: Status;
  /** Replaces the status's default word. */
  statusLabel?: string;
  /** True for stale data: greys the value, hatches the background and hides the status. */
  stale?: boolean;
  missing?: string;
  href?: string;
  className?: string;
  /** Compact padding, for many tiles above other content that must stay visible. */
  isDense?: boolean;
  /** Small picture beside the value. */
  picture?: ReactNode;
  /** Text below the value. */
  children?: ReactNode;
};

/** One value with its unit, age, sample count and source. */
export function Tile(props: TileProps) {
  const { title, value, unit, status, statusLabel, stale, missing, href, isDense, picture } = props;
  const { className, children } = props;
  return (
    <div
      className={cx(
        "relative flex min-w-0 flex-col rounded-md border border-line bg-surface",
        isDense ? "gap-0.5 px-3 py-2" : "gap-1 px-4 py-3",
        href && "transition-colors duration-[120ms] hover:border-line-strong hover:bg-hover",
        className,
      )}
    >
      {stale && <span aria-hidden="true" className="hatched absolute inset-x-0 top-0 h-1 rounded-t-[5px]" />}
      <div className="flex items-center justify-between gap-2">
        <p className="line-clamp-2 text-base text-muted">
          {href ? (
            <UiLink href={href} className="stretched rounded-sm no-underline">
              {title}
            </UiLink>
          ) : (
            title
          )}
        </p>
        {status && !stale && (
          <span className="flex items-center gap-1.5 text-sm text-muted">
            <StatusShape status={status} />
            <span className={statusLabel ? undefined : "sr-only"}>{statusLabel ?? statusWord[status]}</span>
          </span>
        )}
      </div>
      <div className="flex items-end justify-between gap-3">
        <TileValue value={value} unit={unit} stale={stale} missing={missing} />
        {picture}
      </div>
      {children}
      <TileOrigin {...props} />
    </div>
  );
}

function TileValue({ value, unit, stale, missing }: Pick<TileProps, "value" | "unit" | "stale" | "missing">) {
  return (
    <p className="flex min-w-0 items-baseline gap-1.5 tabular-nums">
      {value === null ? (
        <>
          <span className="text-xl text-faint" title={missing}>
            –
          </span>
          <span className="text-sm text-faint">{missing}</span>
        </>
      ) : (
        <>
          {/* Wraps a value that is too long for its tile: cut off, it would be another number. */}
          <span
            className={cx(
              "min-w-0 font-medium break-words",
              isSentence(value) ? "text-lg" : "text-xl",
              stale ? "text-faint" : "text-ink",
            )}
          >
            {value}
          </span>
          {unit && <span className="text-base text-muted">{unit}</span>}
        </>
      )}
    </p>
  );
}

const NUMBER_LENGTH_MAX = 20;

/** A sentence in the size of a number would not fit into a narrow tile. */
const isSentence = (value: ReactNode): boolean =>
  typeof value === "string" && value.length > NUMBER_LENGTH_MAX;

function TileOrigin({ statistic, n, age, source, stale }: TileProps) {
  const parts: [key: string, part: ReactNode][] = [
    ["statistic", statistic],
    ["n", n === undefined ? undefined : `n ${formatCount(n)}`],
    ["age", age],
    ["source", source],
    ["stale", stale ? "stale" : undefined],
  ];
  const shown = parts.filter(([, part]) => part !== undefined && part !== null);
  if (shown.length === 0) return null;
  return (
    <p className="text-sm text-faint tabular-nums">
      {shown.map(([key, part], index) => (
        <span key={key}>
          {index > 0 && " · "}
          {part}
        </span>
      ))}
    </p>
  );
}

/** Terms and values side by side, stacked where space is narrow. */
export function DefinitionList(props: {
  items: { term: ReactNode; value: ReactNode; id?: string }[];
  className?: string;
}) {
  return (
    <dl className={cx("divide-y divide-line", props.className)}>
      {props.items.map(({ term, value, id }, index) => (
        <div
          key={id ?? (typeof term === "string" ? term : index)}
          className="grid min-h-8 items-baseline gap-x-4 py-1.5 sm:grid-cols-[minmax(120px,200px)_1fr]"
        >
          <dt className="text-faint">{term}</dt>
          <dd className="min-w-0 text-ink">{value ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}
