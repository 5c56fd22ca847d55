import type { JobKind, ScheduleRow } from "@stashlight/contracts/schedule";

export type BuiltInSchedule = Pick<ScheduleRow, "id" | "name" | "description" | "kind" | "cron" | "timeZone">;

/** Kinds for which one run makes up for all missed ones; other kinds run once per occurrence. */
export const catchUpKinds: ReadonlySet<string> = new Set<JobKind>([
  "housekeeping",
  "metric-roll-up",
  "metric-keeper",
  "drive-days",
]);

export const weeklyReportScheduleId = "weekly-report";

/** Schedules of every installation, which a worker creates when it starts. */
export const builtInSchedules: BuiltInSchedule[] = [
  {
    id: "housekeeping",
    name: "Session and audit housekeeping",
    description:
      "Deletes expired sessions, links and counters, seals finished days of the audit log and verifies its chain.",
    kind: "housekeeping",
    cron: "17 * * * *",
    timeZone: "UTC",
  },
  {
    id: "metric-roll-up",
    name: "Metric roll-up",
    description:
      "Aggregates the windows that agents sent into minutes, ten minutes and hours, including late windows.",
    kind: "metric-roll-up",
    // Runs once the minute's data has arrived. Data not yet rolled up is read window by window for each node.
    cron: "20 * * * * *",
    timeZone: "UTC",
  },
  {
    id: "metric-keeper",
    name: "Metric retention",
    description:
      "Creates the partitions for the metrics of the next week, and deletes metrics and upload traces past their retention.",
    kind: "metric-keeper",
    cron: "41 * * * *",
    timeZone: "UTC",
  },
  {
    id: "drive-days",
    name: "Drive days",
    description: "Records which HDDs the fleet has, for the failure rates of their models.",
    kind: "drive-days",
    cron: "23 * * * *",
    timeZone: "UTC",
  },
  {
    id: weeklyReportScheduleId,
    name: "Weekly report",
    description:
      "Writes a report of the week before (incidents, forecasts of full vaults, slower figures) and mails it to its subscribers.",
    kind: "weekly-report",
    cron: "0 8 * * 1",
    timeZone: "UTC",
  },
];
