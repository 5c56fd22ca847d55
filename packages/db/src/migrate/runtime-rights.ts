/**
 * Rights of the login of console and worker. They act as the runtime role, but RESET ROLE undoes that, so the audit log
 * is append-only for them only if the login itself has no further rights.
 */

import { jobQueueSchema } from "../job-queue-schema.ts";
import { auditGuardSchema } from "./audit-guard.ts";
import { runtimeRole } from "./runtime-role.ts";

export interface RuntimeRights {
  /** The login, whatever role the connection has assumed. */
  login: string;
  isMember: boolean;
  /**
   * Worst right of the login beyond the runtime role, phrased to follow its name in a sentence; null if there is none.
   */
  excess: string | null;
}

/** Checks every role that includes the login, because the login could assume any of them. */
export const runtimeRightsQuery = `
  WITH within_reach AS (
    SELECT oid, rolname, rolsuper, rolcreaterole FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')
  ), spaces AS (
    SELECT oid, nspowner FROM pg_namespace WHERE nspname IN ('public', '${jobQueueSchema}')
  ), logs AS (
    SELECT oid FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname IN ('audit_event', 'audit_seal')
    UNION SELECT oid FROM pg_class
     WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = '${auditGuardSchema}')
  ), owners AS (
    SELECT datdba AS oid FROM pg_database WHERE datname = current_database()
    UNION SELECT nspowner FROM spaces
    UNION SELECT relowner FROM pg_class WHERE relnamespace IN (SELECT oid FROM spaces)
  )
  SELECT session_user::text AS login,
         EXISTS (SELECT FROM pg_roles
                  WHERE rolname = '${runtimeRole}' AND pg_has_role(session_user, oid, 'SET')) AS "isMember",
         CASE
           WHEN EXISTS (SELECT FROM within_reach WHERE rolsuper) THEN 'is a superuser'
           WHEN EXISTS (SELECT FROM within_reach JOIN owners USING (oid)) THEN 'owns the database or tables in it'
           WHEN EXISTS (SELECT FROM within_reach AS role, logs
                         WHERE has_table_privilege(role.oid, logs.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')
                            OR has_any_column_privilege(role.oid, logs.oid, 'UPDATE'))
             THEN 'may change the audit log'
           WHEN EXISTS (SELECT FROM within_reach
                         WHERE rolname IN ('pg_execute_server_program', 'pg_write_server_files'))
             THEN 'may write files of the database server'
           WHEN EXISTS (SELECT FROM within_reach AS role
                         WHERE rolcreaterole OR has_database_privilege(role.oid, current_database(), 'CREATE')
                            OR EXISTS (SELECT FROM spaces WHERE has_schema_privilege(role.oid, spaces.oid, 'CREATE')))
             THEN 'may make roles, schemas or tables'
         END AS excess`;
