/**
 * Checks the conditions for distributing the metric store with Citus, and prepares for its scripts. Citus connects to
 * workers as the acting role, so the runtime role must be able to log in there.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import pg from "pg";
import { runtimeRole } from "./runtime-role.ts";

/** Objects that must exist before the Citus scripts, which fill them as the runtime role. */
const SCHEMAS = ["metric", "bi"] as const;

export async function prepareCitus(client: pg.Client): Promise<void> {
  await assertWorkers(client);
  await assertLogin(client);
  for (const role of ["CURRENT_USER", runtimeRole]) await assertReaches(client, role);
  const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
  const database = pg.escapeIdentifier(rows[0]?.name ?? "");
  // Makes a statement use the same connection per machine as earlier ones in its transaction, so that it sees their
  // rows.
  await client.query(`ALTER DATABASE ${database} SET citus.multi_shard_modify_mode = 'sequential'`);
  await client.query("SET citus.multi_shard_modify_mode = 'sequential'");
  for (const schema of SCHEMAS) {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${runtimeRole}`);
  }
}

async function assertWorkers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ workers: number; isKnown: boolean }>(
    `SELECT count(*) FILTER (WHERE isactive AND shouldhaveshards)::int AS workers,
            coalesce(bool_or(groupid = 0), false) AS "isKnown" FROM pg_dist_node`,
  );
  const { workers = 0, isKnown = false } = rows[0] ?? {};
  if (!isKnown) {
    throw refusal(
      "The coordinator of Citus is not listed among its own nodes",
      "SELECT citus_set_coordinator_host('ADDRESS OF THE COORDINATOR', 5432);",
    );
  }
  if (workers === 0) {
    throw refusal("Citus has no worker", "SELECT citus_add_node('ADDRESS OF A WORKER', 5432);");
  }
}

async function assertLogin(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ mayLogIn: boolean }>(
    'SELECT rolcanlogin AS "mayLogIn" FROM pg_roles WHERE rolname = $1',
    [runtimeRole],
  );
  if (rows[0]?.mayLogIn === true) return;
  throw refusal(
    `Citus reaches its workers as the role ${runtimeRole}, which may not log in`,
    `ALTER ROLE ${runtimeRole} LOGIN;`,
  );
}

/** Every machine has to accept the role's connections from every other. */
async function assertReaches(client: pg.Client, role: string): Promise<void> {
  if (role !== "CURRENT_USER") await client.query(`SET ROLE ${role}`);
  try {
    const { rows } = await client.query<{ me: string; from: string; to: string }>(
      `SELECT current_user::text AS me, from_nodename || ':' || from_nodeport AS from,
              to_nodename || ':' || to_nodeport AS to
         FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE LIMIT 1`,
    );
    const [lost] = rows;
    if (lost === undefined) return;
    throw new StashlightError(
      "precondition_failed",
      `The Citus node ${lost.from} does not reach ${lost.to} as the role ${lost.me}; let that role in from every node (pg_hba.conf, pg_dist_authinfo) and create it on each of them.`,
    );
  } finally {
    if (role !== "CURRENT_USER") await client.query("RESET ROLE");
  }
}

const refusal = (what: string, statement: string): StashlightError =>
  new StashlightError("precondition_failed", `${what}; an administrator runs in this database: ${statement}`);
