/** Sets up a database connection without the ORM, which saves a process 50 MB. */
import { runtimeRole } from "./migrate/runtime-role.ts";
import {
  type Connection,
  type ConnectionPurpose,
  connectionWithOptions,
  limitOptions,
} from "./session-limits.ts";

export interface OpenDatabaseOptions {
  /** Connection string of a login role that is a member of the runtime role. */
  url: string;
  /** Determines the time limits of statements. */
  purpose: ConnectionPurpose;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  connectionsMax: number;
}

/**
 * Startup options that make a session act as the runtime role, whichever role logged in, and use UTC: the adapter
 * writes instants without an offset, so another time zone would shift them.
 */
const runtimeSessionOptions = `-c role=${runtimeRole} -c TimeZone=UTC`;

/** Settings for a connection as the runtime role, with the limits of `purpose`. */
export function runtimeConnection(url: string, purpose: ConnectionPurpose): Connection {
  return connectionWithOptions(url, limitOptions(purpose), runtimeSessionOptions);
}
