"use client";
/** How an occurrence of a schedule looks, whether a job or a benchmark: when it runs, and what came of it. */
import { type Status, useNow } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { formatDuration } from "../../../client/duration.ts";
import { cronInWords } from "./cron-words.ts";

interface Occurrence<State extends string> {
  readonly plannedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly state: State;
  /** What it did, in a sentence; or why it failed or was skipped. */
  readonly outcome: string | null;
}

type StatusOf<State extends string> = Readonly<Record<State, Status>>;

export function Recurrence({ cron, timeZone }: { cron: string; timeZone: string }) {
  const words = cronInWords(cron);
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
}

export function LastOccurrence<State extends string>({ last, statusOf }: LastOccurrenceProps<State>) {
  const nowMs = useNow(1_000);
  if (last === null) return <span className="text-muted">It has not run yet.</span>;
  const isWaiting = nowMs !== null && (last.beginsAt?.getTime() ?? 0) > nowMs;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <Badge status={statusOf[last.state]} className="capitalize">
        {last.state}
      </Badge>
      {isWaiting && "begins"}
      <Time
        value={(isWaiting ? last.beginsAt : null) ?? last.finishedAt ?? last.startedAt ?? last.plannedAt}
        show="relative"
      />
      {last.outcome !== null && <span className="basis-full text-muted">{last.outcome}</span>}
    </span>
  );
}

export function NextRuns({ isPaused, instants }: { isPaused: boolean; instants: readonly Date[] }) {
  if (isPaused) return <span className="text-muted">None while it is paused.</span>;
  return <Instants instants={instants} />;
}

/** In the reader's own time zone. */
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

/** The columns that every list of occurrences has, to be put into the list's own order. */
export function occurrenceColumns<State extends string, Row extends Occurrence<State>>(
  statusOf: StatusOf<State>,
) {
  return {
    planned: {
      id: "planned",
      header: "Planned",
      hideable: false,
      filterable: false,
      value: (row) => row.plannedAt,
      cell: (row) => <Time value={row.plannedAt} />,
    },
    state: {
      id: "state",
      header: "State",
      value: (row) => row.state,
      cell: (row) => (
        <Badge status={statusOf[row.state]} className="capitalize">
          {row.state}
        </Badge>
      ),
    },
    started: {
      id: "started",
      header: "Started",
      filterable: false,
      value: (row) => row.startedAt,
      cell: (row) => <Time value={row.startedAt} />,
    },
    duration: {
      id: "duration",
      header: "Duration",
      title: "Duration, ms",
      numeric: true,
      filterable: false,
      value: durationMs,
      cell: (row) => {
        const spent = durationMs(row);
        return spent === null ? <span className="text-faint">–</span> : formatDuration(spent);
      },
    },
    outcome: {
      id: "outcome",
      header: "Outcome",
      sortable: false,
      value: (row) => row.outcome,
      cell: (row) => <span className="block min-w-56 whitespace-normal">{row.outcome ?? "–"}</span>,
    },
  } satisfies Record<string, Column<Row>>;
}
