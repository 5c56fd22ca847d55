import { z } from "zod";
import { instantMs } from "../time/instant.ts";

export const jobKinds = [
  "housekeeping",
  "metric-roll-up",
  "metric-keeper",
  "drive-days",
  "weekly-report",
  "benchmark",
] as const;
export type JobKind = (typeof jobKinds)[number];

const scheduleRunStates = ["queued", "running", "succeeded", "failed", "skipped"] as const;
export type ScheduleRunState = (typeof scheduleRunStates)[number];
export type RunTrigger = "schedule" | "manual";

export const scheduleIdInput = z.object({ scheduleId: z.string().min(1).max(64) });
export const pauseScheduleInput = scheduleIdInput.extend({ isPaused: z.boolean() });
export const listRunsInput = z.object({
  fromMs: instantMs,
  toMs: instantMs,
  scheduleId: z.string().max(64).optional(),
  /**
   * Returns only running, failed and skipped runs, because others explain nothing on a chart: by their end, by their
   * start while they run, or by their planned time if they were missed.
   */
  isNotable: z.boolean().optional(),
  /** Leaves out succeeded scheduled roll-ups, which would otherwise fill a list at one per minute. */
  withoutRollUps: z.boolean().optional(),
  pageSize: z.number().int().min(1).max(500).default(200),
});

export interface ScheduleRow {
  id: string;
  name: string;
  description: string;
  kind: JobKind;
  cron: string;
  timeZone: string;
  paused: boolean;
  nextRunsAt: Date[];
  lastRun: ScheduleRunRow | null;
}

/** Occurrence of a schedule, identified by `scheduleId` and `plannedAt` together. */
export interface ScheduleRunRow {
  scheduleId: string;
  scheduleName: string;
  plannedAt: Date;
  trigger: RunTrigger;
  state: ScheduleRunState;
  requestedBy: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  attempts: number;
  /** Sentence with the run's result, or the reason why it failed or was skipped. */
  outcome: string | null;
}
