/**
 * Transfers the head of the audit log to a separate role, `stashlight_auditor`, so that neither the product nor the
 * owner of the log can change it by accident. The owner may assume that role for later migrations, but does not inherit
 * its rights.
 */
import type pg from "pg";

export const auditGuardSchema = "audit_guard";
export const auditorRole = "stashlight_auditor";

const insufficientPrivilege = "42501";
/** Errors when two Stashlights on one server create or grant the role at the same moment. */
const concurrentChanges = new Set(["42710", "23505", "XX000"]);
const attemptsMax = 5;

/** Query of one row: the owner of the audit log's head, and whether that role also owns the log itself. */
export const auditGuardQuery = `
  SELECT pg_get_userbyid(guard.relowner)::text AS owner, guard.relowner = log.relowner AS "isShared"
    FROM pg_class AS guard, pg_class AS log
   WHERE guard.oid = to_regclass('${auditGuardSchema}.head') AND log.oid = to_regclass('public.audit_event')`;

/** Statements for an administrator to run if the owner may not. */
export const auditorStatements = (owner: string): string =>
  `CREATE ROLE ${auditorRole} NOLOGIN; GRANT ${auditorRole} TO "${owner}" WITH INHERIT FALSE, SET TRUE;`;

/**
 * Gives the head to the auditor's role. If not permitted, leaves it with the owner and logs that; the health page then
 * warns.
 */
export async function giveAuditGuard(
  client: pg.Client,
  log: ((line: string) => void) | undefined,
): Promise<void> {
  const { rows } = await client.query<{ isGiven: boolean; me: string }>(
    `SELECT pg_get_userbyid(nspowner) = $2 AS "isGiven", current_user::text AS me
       FROM pg_namespace WHERE nspname = $1`,
    [auditGuardSchema, auditorRole],
  );
  const [found] = rows;
  if (found === undefined || found.isGiven) return;
  if (!(await obtainAuditor(client))) {
    log?.(
      `The head of the audit log stays with the role "${found.me}"; ask an administrator to run: ${auditorStatements(found.me)}`,
    );
    return;
  }
  await client.query(`
    BEGIN;
    GRANT USAGE, CREATE ON SCHEMA ${auditGuardSchema} TO ${auditorRole};
    ALTER TABLE ${auditGuardSchema}.head OWNER TO ${auditorRole};
    ALTER FUNCTION ${auditGuardSchema}.follow_event() OWNER TO ${auditorRole};
    ALTER FUNCTION ${auditGuardSchema}.follow_seal() OWNER TO ${auditorRole};
    ALTER SCHEMA ${auditGuardSchema} OWNER TO ${auditorRole};
    COMMIT;`);
}

/** Creates the role if it is missing; returns false if this login may not act as it. */
async function obtainAuditor(client: pg.Client): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query<{ maySet: boolean }>(
      "SELECT pg_has_role(current_user, oid, 'SET') AS \"maySet\" FROM pg_roles WHERE rolname = $1",
      [auditorRole],
    );
    if (rows[0]?.maySet) return true;
    try {
      if (rows.length === 0) await client.query(`CREATE ROLE ${auditorRole} NOLOGIN`);
      await client.query(`GRANT ${auditorRole} TO CURRENT_USER WITH INHERIT FALSE, SET TRUE`);
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === insufficientPrivilege) return false;
      if (!concurrentChanges.has(code ?? "") || attempt === attemptsMax) throw error;
    }
  }
}
