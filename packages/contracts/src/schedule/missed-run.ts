/**
 * Outcome of a run that was due while no worker was running; charts and lists find it at its planned time. Kept apart
 * from the schemas, which pages of the console do not load.
 */
export const missedOutcome = "Missed: no worker was running at that time.";
