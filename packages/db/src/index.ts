export * from "./client.ts";
export { type OpenDatabaseOptions, runtimeConnection } from "./connection.ts";
export { Prisma } from "./generated/client.ts";
export { jobQueueSchema } from "./job-queue-schema.ts";
export { auditGuardQuery, auditorStatements } from "./migrate/audit-guard.ts";
export { type RuntimeRights, runtimeRightsQuery } from "./migrate/runtime-rights.ts";
export { type Connection, type ConnectionPurpose, longStatementMs } from "./session-limits.ts";
