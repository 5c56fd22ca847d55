/** The schema of pg-boss, apart from what loads pg-boss. */
export const jobQueueSchema = "pgboss";
