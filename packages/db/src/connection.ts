/** Sets up a connection to the database without the ORM: such a process is 50 MB smaller. */
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
  /** Determines how long a statement may run. */
  purpose: ConnectionPurpose;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  connectionsMax: number;
}

/**
 * The startup options that make a session act as the runtime role, whichever role logged in, and speak UTC: the
 * adapter writes instants without an offset, so another zone would shift them.
 */
const runtimeSessionOptions = `-c role=${runtimeRole} -c TimeZone=UTC`;

/** The settings for a connection in the runtime role, with the limits of `purpose`. */
export function runtimeConnection(url: string, purpose: ConnectionPurpose): Connection {
  return connectionWithOptions(url, limitOptions(purpose), runtimeSessionOptions);
}
