/** Refuses a login for console and worker with too many rights or too few. */
import { StashlightError } from "@stashlight/contracts/errors";
import pg from "pg";
import { migrationConnection } from "../session-limits.ts";
import { type RuntimeRights, runtimeRightsQuery } from "./runtime-rights.ts";
import { runtimeRole } from "./runtime-role.ts";

/** Identifies a database, even among those of the same name on two servers. */
const databaseQuery = `SELECT concat_ws(' ', pg_postmaster_start_time(), oid) AS identity
  FROM pg_database WHERE datname = current_database()`;

/** `owner` is connected to the migrated database. */
export async function assertRuntimeLogin(owner: pg.Client, runtimeUrl: string): Promise<void> {
  const runtime = new pg.Client({ ...migrationConnection(runtimeUrl), connectionTimeoutMillis: 10_000 });
  runtime.on("error", () => {});
  try {
    await runtime.connect();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || String(cause) : String(cause);
    throw new StashlightError(
      "unavailable",
      `The run-time login cannot connect to the database (${reason}); check its address and its password.`,
      { cause },
    );
  }
  try {
    if ((await readIdentity(runtime)) !== (await readIdentity(owner))) {
      throw refusal("The run-time login leads to a database other than the owner's; give both the same one.");
    }
    const { rows } = await runtime.query<RuntimeRights>(runtimeRightsQuery);
    const { login, isMember, excess } = rows[0] as RuntimeRights;
    if (!isMember) {
      throw refusal(
        `The run-time login "${login}" may not act as ${runtimeRole}; let the owner run: GRANT ${runtimeRole} TO "${login}";`,
      );
    }
    if (excess !== null) {
      throw refusal(
        `The run-time login "${login}" ${excess}; give Stashlight one that is a member of ${runtimeRole} and of nothing else.`,
      );
    }
  } finally {
    await runtime.end();
  }
}

async function readIdentity(client: pg.Client): Promise<string | undefined> {
  return (await client.query<{ identity: string }>(databaseQuery)).rows[0]?.identity;
}

function refusal(sentence: string): StashlightError {
  return new StashlightError("precondition_failed", sentence);
}
