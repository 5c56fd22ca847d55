import type { JobKind } from "@stashlight/contracts";

export interface BuiltInSchedule {
  id: string;
  name: string;
  description: string;
  kind: JobKind;
  cron: string;
  timeZone: string;
}

/** Schedules that every installation has; a worker makes sure of them when it starts. */
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
];
