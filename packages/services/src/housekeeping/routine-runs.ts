/** Roll-ups that succeeded: one a minute, of which nobody wants to read. One that somebody asked for is another thing. */
export const routineRuns = { scheduleId: "metric-roll-up", state: "succeeded", trigger: "schedule" } as const;
