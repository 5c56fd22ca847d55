"use client";
import type { HealthCheck } from "@stashlight/contracts/health";
import { cx } from "@stashlight/ui";
import { StatusDot } from "@stashlight/ui/feedback";
import { formatFigure } from "../../../client/health-checks.ts";

/** One line per check: state, finding, and its values. */
export function Checks({ checks }: { checks: readonly HealthCheck[] }) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line bg-surface">
      {checks.map((check) => (
        <Check key={check.id} check={check} />
      ))}
    </ul>
  );
}

function Check({ check }: { check: HealthCheck }) {
  const needsAttention = check.state === "bad" || check.state === "warning";
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,560px)] lg:items-center">
      <div className="grid grid-cols-[84px_minmax(0,1fr)] items-baseline gap-x-3">
        <StatusDot status={check.state} />
        <div>
          <h3 className="font-medium text-ink">{check.title}</h3>
          <p className={cx("text-pretty", needsAttention ? "text-ink" : "text-muted")}>{check.sentence}</p>
        </div>
      </div>
      {check.figures.length > 0 && (
        <dl className="grid grid-cols-2 gap-x-6 gap-y-2 max-lg:pl-24 max-md:pl-0 sm:grid-cols-4">
          {check.figures.map((figure) => (
            <Figure key={figure.name} figure={figure} />
          ))}
        </dl>
      )}
    </li>
  );
}

function Figure({ figure }: { figure: HealthCheck["figures"][number] }) {
  const { value, unit } = formatFigure(figure);
  return (
    <div className="min-w-0">
      <dt className="truncate text-sm text-faint" title={figure.name}>
        {figure.name}
      </dt>
      <dd className="text-ink tabular-nums">
        {value}
        {unit !== "" && <span className="ml-1 text-sm text-muted">{unit}</span>}
      </dd>
    </div>
  );
}
