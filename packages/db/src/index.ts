export {
  type Database,
  type OpenDatabaseOptions,
  openDatabase,
  type RuntimeConnection,
  runtimeConnection,
  type Transaction,
} from "./client.ts";
export { Prisma } from "./generated/client.ts";
export { jobQueueSchema } from "./migrate/job-queue.ts";
export { type RuntimeRights, runtimeRightsQuery } from "./runtime-rights.ts";
