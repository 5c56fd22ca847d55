import { StashlightError } from "@stashlight/contracts/errors";
import pg from "pg";
import { migrationConnection } from "../session-limits.ts";

/** Without limits on the duration of a statement. */
export async function connectToMigrate(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...migrationConnection(url), connectionTimeoutMillis: 10_000 });
  // A connection that is lost between two queries shows in the next one.
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
