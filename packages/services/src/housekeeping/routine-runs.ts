/** Successful roll-ups: one per minute, too many to read. Excludes those that a person requested. */
export const routineRuns = { scheduleId: "metric-roll-up", state: "succeeded", trigger: "schedule" } as const;
