"use client";
/** Appearance of a schedule's occurrence, for jobs and benchmarks: time and outcome. */
import { cx, formatDateTime, type Status, useNow } from "@stashlight/ui";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { formatDuration } from "../../../client/duration.ts";
import { describeCron } from "./describe-cron.ts";

interface Occurrence<State extends string> {
  readonly plannedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly state: State;
  /** Outcome in a sentence, or the reason for a failed or skipped occurrence. */
  readonly outcome: string | null;
}

type StatusOf<State extends string> = Readonly<Record<State, Status>>;

interface RecurrenceProps {
  cron: string;
  timeZone: string;
  /** Table form: words only, with the expression on hover. */
  isDense?: boolean;
}

export function Recurrence({ cron, timeZone, isDense = false }: RecurrenceProps) {
  const words = describeCron(cron);
  if (isDense) {
    return (
      <span className="block max-w-40 truncate" title={`${words ?? ""} ${cron}, ${timeZone}`.trim()}>
        {words ?? <code className="font-mono text-sm">{cron}</code>}
      </span>
    );
  }
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {words !== null && <span>{words}</span>}
      <code className="font-mono text-sm text-muted">{cron}</code>
      <span className="text-muted">{timeZone}</span>
    </span>
  );
}

interface LastOccurrenceProps<State extends string> {
  last: (Occurrence<State> & { readonly beginsAt?: Date | null }) | null;
  statusOf: StatusOf<State>;
  /** Table form: one line, with the outcome on hover. */
  isDense?: boolean;
  className?: string;
}

export function LastOccurrence<State extends string>({
  last,
  statusOf,
  isDense = false,
  className,
}: LastOccurrenceProps<State>) {
  const nowMs = useNow(1_000);
  if (last === null) {
    return <span className="text-muted">{isDense ? "not run yet" : "It has not run yet."}</span>;
  }
  const isWaiting = nowMs !== null && (last.beginsAt?.getTime() ?? 0) > nowMs;
  return (
    <span
      className={cx("flex items-baseline gap-x-2 gap-y-0.5", !isDense && "flex-wrap", className)}
      title={isDense ? (last.outcome ?? undefined) : undefined}
    >
      <Badge status={statusOf[last.state]} className="capitalize">
        {last.state}
      </Badge>
      {/* A table on a phone has room for the state only. */}
      <span className={cx(isDense && "max-md:hidden")}>
        {isWaiting && "begins "}
        <Time
          value={(isWaiting ? last.beginsAt : null) ?? last.finishedAt ?? last.startedAt ?? last.plannedAt}
          show="relative"
        />
      </span>
      {!isDense && last.outcome !== null && <span className="basis-full text-muted">{last.outcome}</span>}
    </span>
  );
}

export function NextRuns({ isPaused, instants }: { isPaused: boolean; instants: readonly Date[] }) {
  if (isPaused) return <span className="text-muted">None while it is paused.</span>;
  return <Instants instants={instants} />;
}

/** Time until the next run, with later runs on hover. */
function NextRun({ isPaused, instants }: { isPaused: boolean; instants: readonly Date[] }) {
  const [next, ...later] = instants;
  if (isPaused || next === undefined) return <span className="text-muted">paused</span>;
  return (
    <span
      className="block min-w-16"
      title={`Then ${later.map((instant) => formatDateTime(instant.getTime())).join(", ")}`}
    >
      <Time value={next} show="relative" />
    </span>
  );
}

/** Times in the reader's own zone. */
export function Instants({ instants }: { instants: readonly Date[] }) {
  return (
    <ol className="flex flex-col tabular-nums">
      {instants.map((instant, index) => (
        <li key={instant.getTime()} className={index === 0 ? "text-ink" : "text-muted"}>
          <Time value={instant} />{" "}
          {index === 0 && <Time value={instant} show="relative" className="text-faint" />}
        </li>
      ))}
    </ol>
  );
}

const durationMs = ({ startedAt, finishedAt }: Occurrence<string>) =>
  startedAt === null || finishedAt === null ? null : finishedAt.getTime() - startedAt.getTime();

/** Columns common to every list of occurrences, to be placed in the list's own order. */
export function occurrenceColumns<State extends string, Row extends Occurrence<State>>(
  statusOf: StatusOf<State>,
) {
  return {
    planned: timeColumn(
      "planned",
      "Planned",
      (row) => row.plannedAt,
      {},
      { hideable: false, filterable: false },
    ),
    state: textColumn("state", "State", (row) => row.state, {
      cell: (row) => (
        <Badge status={statusOf[row.state]} className="capitalize">
          {row.state}
        </Badge>
      ),
    }),
    started: timeColumn("started", "Started", (row) => row.startedAt, {}, { filterable: false }),
    duration: numberColumn("duration", "Duration", durationMs, {
      title: "Duration, ms",
      cell: (row) => {
        const spent = durationMs(row);
        return spent === null ? <span className="text-faint">–</span> : formatDuration(spent);
      },
    }),
    outcome: textColumn("outcome", "Outcome", (row) => row.outcome, {
      sortable: false,
      cell: (row) => <span className="block min-w-56 whitespace-normal">{row.outcome ?? "–"}</span>,
    }),
  } satisfies Record<string, Column<Row>>;
}

interface Recurring {
  readonly cron: string;
  readonly timeZone: string;
  readonly nextRunsAt: readonly Date[];
}

/** Columns about a row's schedule times. */
export const recurrenceColumns = <Row extends Recurring>(isPaused: (row: Row) => boolean): Column<Row>[] => [
  textColumn("runs", "Runs", ({ cron }) => cron, {
    cell: ({ cron, timeZone }) => <Recurrence cron={cron} timeZone={timeZone} isDense />,
  }),
  textColumn("next", "Next run", (row) => (isPaused(row) ? null : row.nextRunsAt[0]), {
    filterable: false,
    cell: (row) => <NextRun isPaused={isPaused(row)} instants={row.nextRunsAt} />,
  }),
];
