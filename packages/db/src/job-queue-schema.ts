/** Schema of pg-boss, kept apart from code that loads pg-boss. */
export const jobQueueSchema = "pgboss";
