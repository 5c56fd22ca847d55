import type pg from "pg";
import { PgBoss } from "pg-boss";
import { jobQueueSchema } from "../job-queue-schema.ts";
import { migrationConnection } from "../session-limits.ts";
import { runtimeRole } from "./runtime-role.ts";

/** Creates or updates the queue's schema as its owner, then grants the runtime role access. */
export async function migrateJobQueue(client: pg.Client, ownerUrl: string): Promise<void> {
  const boss = new PgBoss({
    ...migrationConnection(ownerUrl),
    schema: jobQueueSchema,
    max: 1,
    supervise: false,
    schedule: false,
  });
  // Without a listener, a connection error would end the process; start() and the queries below report it.
  boss.on("error", () => {});
  await boss.start();
  await boss.stop({ graceful: false, close: true });
  await client.query(`
    GRANT USAGE ON SCHEMA ${jobQueueSchema} TO ${runtimeRole};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${jobQueueSchema} TO ${runtimeRole};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${jobQueueSchema} TO ${runtimeRole};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${jobQueueSchema} TO ${runtimeRole};`);
}
