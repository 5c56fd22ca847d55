export {
  type Database,
  type OpenDatabaseOptions,
  openDatabase,
  runtimeSessionOptions,
  type Transaction,
} from "./client.ts";
export { Prisma } from "./generated/client.ts";
export { jobQueueSchema } from "./migrate/job-queue.ts";
