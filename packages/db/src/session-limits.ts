import { MINUTE_MS, SECOND_MS } from "@stashlight/contracts/time";

/**
 * Limits on how long Postgres works for a connection, by purpose. Without a limit, a forgotten query runs for hours.
 * After a server crash that is worse: a busy backend does not notice that its server is gone, and no new server can
 * start on the data until the backend ends.
 *
 * These limits are for everyday statements. A longer job sets its own limit (`withStatementTimeout`), and
 * `?options=-c%20statement_timeout%3D...` in a connection string replaces ours.
 */
export type ConnectionPurpose = "console" | "ingest" | "worker" | "tool" | "migration" | "bench";

export interface SessionLimits {
  /** Time after which a statement is cancelled (57014). */
  readonly statementTimeoutMs: number;
  /** A transaction whose client is silent for longer is rolled back, and its connection closed (25P03). */
  readonly idleInTransactionMs: number;
}

export const sessionLimits: Readonly<Record<ConnectionPurpose, SessionLimits>> = {
  // The console's HTTP server limits requests to 30 s, so a later answer is useless.
  console: { statementTimeoutMs: 30 * SECOND_MS, idleInTransactionMs: 30 * SECOND_MS },
  // An agent repeats a batch without an answer after 30 s; the first attempt must have ended by then.
  ingest: { statementTimeoutMs: 20 * SECOND_MS, idleInTransactionMs: 20 * SECOND_MS },
  // Roll-ups and retention work in portions of seconds; two minutes leave a reserve for a slow disk.
  worker: { statementTimeoutMs: 2 * MINUTE_MS, idleInTransactionMs: 2 * MINUTE_MS },
  // For parts of `npm start`, and for users of a database client, who wait for the answer.
  tool: { statementTimeoutMs: 5 * MINUTE_MS, idleInTransactionMs: 2 * MINUTE_MS },
  // A migration may have to rewrite the largest table, and a cancelled one starts from scratch.
  migration: { statementTimeoutMs: 60 * MINUTE_MS, idleInTransactionMs: 10 * MINUTE_MS },
  // Benchmarks and the simulated fleet write and read days of data in one statement.
  bench: { statementTimeoutMs: 15 * MINUTE_MS, idleInTransactionMs: 5 * MINUTE_MS },
};

/** Detaching a partition and deleting a node's history wait for locks and the disk. */
export const longStatementMs = 10 * MINUTE_MS;

export interface Connection {
  connectionString: string;
  options: string;
}

/** Settings for a connection as the owner of the schema, for migrations. */
export function migrationConnection(url: string): Connection {
  return connectionWithOptions(url, limitOptions("migration"));
}

export function limitOptions(purpose: ConnectionPurpose): string {
  const { statementTimeoutMs, idleInTransactionMs } = sessionLimits[purpose];
  return `-c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=${idleInTransactionMs}`;
}

/**
 * Moves `?options=` out of the connection string, where node-postgres would let it replace the given options. The last
 * value of a setting wins: the string's options override `defaults`, and `fixed` overrides both.
 */
export function connectionWithOptions(url: string, defaults: string, fixed = ""): Connection {
  const [address = "", query = ""] = url.split("#", 1)[0]?.split(/\?(.*)/s) ?? [];
  const parameters = new URLSearchParams(query);
  const own = parameters.getAll("options").at(-1);
  const options = [defaults, own, fixed].filter((part) => part !== undefined && part !== "").join(" ");
  if (own === undefined) return { connectionString: url, options };
  parameters.delete("options");
  const rest = parameters.size === 0 ? "" : `?${parameters}`;
  return { connectionString: `${address}${rest}`, options };
}
