import { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";

/**
 * The group role of the product. Migrations grant its rights; every connection of console and worker assumes it, so
 * that the product cannot change the audit log or the schema.
 */
export const runtimeRole = "stashlight_app";

const insufficientPrivilege = "42501";
const duplicateObject = "42710";
const uniqueViolation = "23505";

/**
 * Roles belong to the whole server, so another database's Stashlight may have created the role, even at this moment.
 */
export async function ensureRuntimeRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; member: boolean; me: string }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists, current_user AS me,
            EXISTS (SELECT FROM pg_roles WHERE rolname = $1 AND pg_has_role(current_user, oid, 'SET')) AS member`,
    [runtimeRole],
  );
  const role = rows[0];
  try {
    if (!role?.exists) await createRole(client);
    if (!role?.member) await client.query(`GRANT ${runtimeRole} TO CURRENT_USER`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== insufficientPrivilege) throw cause;
    const create = role?.exists ? "" : `CREATE ROLE ${runtimeRole} NOLOGIN; `;
    throw new StashlightError(
      "precondition_failed",
      `The database role ${role?.me} may not ${role?.exists ? "grant" : "create"} the role ${runtimeRole}; ask an administrator to run: ${create}GRANT ${runtimeRole} TO "${role?.me}";`,
      { cause },
    );
  }
}

async function createRole(client: pg.Client): Promise<void> {
  try {
    await client.query(`CREATE ROLE ${runtimeRole} NOLOGIN`);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== duplicateObject && code !== uniqueViolation) throw error;
  }
}
