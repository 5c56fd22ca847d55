/**
 * Storage profiles: how the metric store's tables are partitioned and distributed. The profile is chosen for a new
 * database and never changes; its migrations reveal it.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";

export const STORAGE_PROFILES = ["plain", "timescale", "citus"] as const;
export type StorageProfile = (typeof STORAGE_PROFILES)[number];

const extensions: Readonly<Record<Exclude<StorageProfile, "plain">, string>> = {
  timescale: "timescaledb",
  citus: "citus",
};

export async function assertExtension(client: pg.Client, profile: StorageProfile): Promise<void> {
  if (profile === "plain") return;
  const extension = extensions[profile];
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = $1", [extension]);
  if (rowCount === 1) return;
  throw new StashlightError(
    "precondition_failed",
    `The storage profile ${profile} needs the extension ${extension}, which this database does not have; an administrator runs CREATE EXTENSION ${extension} in it, or choose the profile plain with another database.`,
  );
}

export const otherProfile = (made: StorageProfile, asked: StorageProfile): StashlightError =>
  new StashlightError(
    "precondition_failed",
    `The database was created with the storage profile ${made}, but ${asked} was requested; a database keeps its profile, so request ${made}, or ${asked} with a new database.`,
  );
