"use client";
import { cx } from "@stashlight/ui";
import type { Waterfall, WaterfallBar, WaterfallMoment } from "./waterfall.ts";

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/** Draws the prepared waterfall. */
export function WaterfallChart({ waterfall }: { waterfall: Waterfall }) {
  const { rows, moments, ticks, unit, summary } = waterfall;
  return (
    <figure className="flex min-w-0 flex-col gap-2" aria-label={summary}>
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-muted tabular-nums">
        {moments.map((moment) => (
          <li key={moment.id} className="flex items-center gap-1.5 whitespace-nowrap">
            <span aria-hidden="true" className="h-3 w-0.5" style={{ background: `var(--${moment.tone})` }} />
            {moment.label} <span className="text-ink">{moment.time}</span>
          </li>
        ))}
      </ul>
      <div className="grid min-w-0 grid-cols-[3.25rem_minmax(0,1fr)] gap-x-2">
        <div className="relative col-start-2">
          <Lines moments={moments} />
          <ol className="relative">
            {rows.map(({ id, label, lanes }) => (
              <li
                key={id}
                className="relative flex h-5 flex-col justify-center gap-px border-b border-line/60"
              >
                <span className="absolute right-full mr-2 text-sm whitespace-nowrap text-faint tabular-nums">
                  {label}
                </span>
                {lanes.map((bar, index) => (
                  <Lane key={bar?.id ?? `${id}-${index}`} bar={bar} isOnly={lanes.length === 1} />
                ))}
              </li>
            ))}
          </ol>
        </div>
        <div aria-hidden="true" className="relative col-start-2 h-5 text-sm text-faint tabular-nums">
          {ticks.map(({ at, label }, index) => (
            <span
              key={at}
              className={cx(
                "absolute top-0.5 whitespace-nowrap",
                index > 0 && (index === ticks.length - 1 ? "-translate-x-full" : "-translate-x-1/2"),
              )}
              style={{ left: percent(at) }}
            >
              {label}
              {index === ticks.length - 1 && ` ${unit.name}`}
            </span>
          ))}
        </div>
      </div>
      <Key />
    </figure>
  );
}

function Lines({ moments }: { moments: readonly WaterfallMoment[] }) {
  return (
    <div aria-hidden="true" className="absolute inset-0">
      {moments.map(({ id, tone, at }) => (
        <span
          key={id}
          data-moment={id}
          className="absolute inset-y-0 w-px opacity-70"
          style={{ left: percent(at), background: `var(--${tone})` }}
        />
      ))}
    </div>
  );
}

function Lane({ bar, isOnly }: { bar: WaterfallBar | null; isOnly: boolean }) {
  const height = isOnly ? "h-3" : "h-[7px]";
  if (bar === null) return <span className={height} />;
  const { tone, from, to, isOpen, isLate, label } = bar;
  return (
    <span className={cx("relative", height)}>
      <span
        title={label}
        data-bar={bar.id}
        data-late={isLate || undefined}
        className={cx(
          "absolute inset-y-0 min-w-[2px] rounded-[1px]",
          isOpen && "hatched",
          isLate && "opacity-60",
        )}
        style={{
          left: percent(from),
          width: percent(to - from),
          ...(isOpen ? {} : { background: `var(--${tone})` }),
        }}
      >
        <span className="sr-only">{label}</span>
      </span>
    </span>
  );
}

const keys = [
  { tone: "coordinator", label: "coordinator" },
  { tone: "pod", label: "pod, written" },
  { tone: "stash", label: "stash, durable" },
] as const;

function Key() {
  return (
    <figcaption className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-faint">
      {keys.map(({ tone, label }) => (
        <span key={tone} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="h-2 w-3.5 rounded-[1px]"
            style={{ background: `var(--${tone})` }}
          />
          {label}
        </span>
      ))}
      <span>pale: after the answer</span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="hatched h-2 w-3.5 rounded-[1px]" />
        no answer recorded
      </span>
    </figcaption>
  );
}
