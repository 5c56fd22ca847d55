"use client";
import type { Role, ScheduleRow } from "@stashlight/contracts";
import { DefinitionList, Time } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import { runStatus } from "../../../client/runs.ts";
import { cronInWords } from "./cron-words.ts";
import { ScheduleActions } from "./schedule-actions.tsx";

interface ScheduleCardProps {
  schedule: ScheduleRow;
  role: Role;
  isOnly: boolean;
}

export function ScheduleCard({ schedule, role, isOnly }: ScheduleCardProps) {
  const headingId = `schedule-${schedule.id}`;
  return (
    <article
      aria-labelledby={headingId}
      className="flex flex-col gap-3 rounded-md border border-line bg-surface px-4 py-3"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={headingId} className="text-md font-medium text-ink">
              {schedule.name}
            </h3>
            {schedule.paused && <Badge status="warning">Paused</Badge>}
          </div>
          <p className="max-w-[72ch] text-pretty text-muted">{schedule.description}</p>
        </div>
        <ScheduleActions schedule={schedule} role={role} isOnly={isOnly} />
      </div>
      <div className="grid gap-x-8 border-t border-line pt-1 lg:grid-cols-2">
        <DefinitionList
          items={[
            { term: "Runs", value: <Recurrence schedule={schedule} /> },
            { term: "Last run", value: <LastRun schedule={schedule} /> },
          ]}
        />
        <DefinitionList items={[{ term: "Next five runs", value: <NextRuns schedule={schedule} /> }]} />
      </div>
    </article>
  );
}

function Recurrence({ schedule }: { schedule: ScheduleRow }) {
  const words = cronInWords(schedule.cron);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {words !== null && <span>{words}</span>}
      <code className="font-mono text-sm text-muted">{schedule.cron}</code>
      <span className="text-muted">{schedule.timeZone}</span>
    </span>
  );
}

function LastRun({ schedule: { lastRun } }: { schedule: ScheduleRow }) {
  if (lastRun === null) return <span className="text-muted">It has not run yet.</span>;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <Badge status={runStatus[lastRun.state]} className="capitalize">
        {lastRun.state}
      </Badge>
      <Time value={lastRun.finishedAt ?? lastRun.startedAt ?? lastRun.plannedAt} show="relative" />
      {lastRun.outcome !== null && <span className="basis-full text-muted">{lastRun.outcome}</span>}
    </span>
  );
}

function NextRuns({ schedule: { paused, nextRunsAt } }: { schedule: ScheduleRow }) {
  if (paused) return <span className="text-muted">None while it is paused.</span>;
  return (
    <ol className="flex flex-col tabular-nums">
      {nextRunsAt.map((instant, index) => (
        <li key={instant.getTime()} className={index === 0 ? "text-ink" : "text-muted"}>
          <Time value={instant} />
          {index === 0 && (
            <>
              {" "}
              <Time value={instant} show="relative" className="text-faint" />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
