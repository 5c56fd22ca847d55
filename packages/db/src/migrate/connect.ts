import { StashlightError } from "@stashlight/contracts/errors";
import pg from "pg";
import { migrationConnection } from "../session-limits.ts";

/** Connects with the time limits of migrations. */
export async function connectToMigrate(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...migrationConnection(url), connectionTimeoutMillis: 10_000 });
  // The next query reports a connection lost between two queries.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || String(cause) : String(cause);
    throw new StashlightError(
      "unavailable",
      `The database does not answer (${reason}); check the address, the password and that it is running.`,
      { cause },
    );
  }
}
