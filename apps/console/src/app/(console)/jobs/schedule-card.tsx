"use client";
import type { ScheduleRow } from "@stashlight/contracts/process/schedule";
import type { Role } from "@stashlight/contracts/user/roles";
import { DefinitionList } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import { runStatus } from "../../../client/runs.ts";
import { LastOccurrence, NextRuns, Recurrence } from "./occurrence.tsx";
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
            { term: "Runs", value: <Recurrence cron={schedule.cron} timeZone={schedule.timeZone} /> },
            { term: "Last run", value: <LastOccurrence last={schedule.lastRun} statusOf={runStatus} /> },
          ]}
        />
        <DefinitionList
          items={[
            {
              term: "Next five runs",
              value: <NextRuns isPaused={schedule.paused} instants={schedule.nextRunsAt} />,
            },
          ]}
        />
      </div>
    </article>
  );
}
