/**
 * Creates a database cluster, or changes one while its server is stopped. No password is needed here: the owner of the
 * files can open a stopped cluster in Postgres's single-user mode.
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, locateCluster } from "./cluster-paths.ts";
import type { Credentials } from "./credentials.ts";
import { EmbeddedPostgresError, explainFileError } from "./errors.ts";
import { type Oversight, runProgram } from "./program.ts";

export const databaseName = "stashlight";
export const ownerRole = "stashlight_owner";
export const runtimeRole = "stashlight_runtime";
const superuser = "stashlight_superuser";

const removalAttemptsMax = 50;
const removalPollMs = 50;

const accessRules = `# Written by Stashlight: this machine only, and only with a password.
host all ${superuser} all reject
host all all 127.0.0.1/32 scram-sha-256
`;

/** Creates the cluster beside its final place and moves it there, so that an incomplete one is never used. */
export async function createCluster(
  cluster: Cluster,
  credentials: Credentials,
  oversight: Oversight,
): Promise<void> {
  const { dataDirectory, identity } = cluster;
  // After a kill -9, the previous run's initdb continues for a moment, and must not write into our files.
  const partial = `${dataDirectory}.partial-${randomBytes(4).toString("hex")}`;
  try {
    await dropPartials(dataDirectory);
    mkdirSync(partial, { mode: 0o700 });
    if (identity) chownSync(partial, identity.uid, identity.gid);
    await initialise({ ...cluster, dataDirectory: partial }, oversight);
    await runSingleUser({ ...cluster, dataDirectory: partial }, creationStatements(credentials), oversight);
    writeFileSync(join(partial, "pg_hba.conf"), accessRules, { mode: 0o600 });
    renameSync(partial, dataDirectory);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    oversight.signal?.throwIfAborted();
    throw explainFileError(error, dataDirectory);
  }
}

/** Removes incomplete clusters of killed starts; only this start works in the folder. */
async function dropPartials(dataDirectory: string): Promise<void> {
  const folder = dirname(dataDirectory);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${basename(dataDirectory)}.partial`)) await dropTree(join(folder, name));
  }
}

/** Tolerates a failed removal: an orphaned initdb may still create files for a moment, and a leftover does no harm. */
async function dropTree(path: string): Promise<void> {
  for (let attempt = 1; attempt <= removalAttemptsMax; attempt += 1) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Ignored, because the loop below retries.
    }
    if (!existsSync(path)) return;
    await delay(removalPollMs);
  }
}

function initialise(cluster: Cluster, oversight: Oversight): Promise<void> {
  const args = [
    ...["--pgdata", locateCluster(cluster).directoryArgument, "--username", superuser, "--auth", "reject"],
    ...["--encoding", "UTF8", "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"],
    ...["--data-checksums", "--no-instructions", ...(cluster.isDurable ? [] : ["--no-sync"])],
  ];
  return runProgram(cluster, [cluster.binaries.initdb, ...args], "", oversight);
}

function creationStatements({ ownerPassword, runtimePassword }: Credentials): string[] {
  return [
    `CREATE ROLE ${ownerRole} LOGIN CREATEDB CREATEROLE PASSWORD '${ownerPassword}'`,
    `CREATE ROLE ${runtimeRole} LOGIN PASSWORD '${runtimePassword}'`,
    "CREATE ROLE stashlight_app NOLOGIN",
    `GRANT stashlight_app TO ${ownerRole} WITH ADMIN TRUE`,
    `GRANT stashlight_app TO ${runtimeRole}`,
    `CREATE DATABASE ${databaseName} OWNER ${ownerRole}`,
  ];
}

/** For a cluster whose passwords were lost with the credentials file. */
export function resetPasswords(
  cluster: Cluster,
  credentials: Credentials,
  oversight: Oversight,
): Promise<void> {
  const statements = [
    `ALTER ROLE ${ownerRole} PASSWORD '${credentials.ownerPassword}'`,
    `ALTER ROLE ${runtimeRole} PASSWORD '${credentials.runtimePassword}'`,
  ];
  return runSingleUser(cluster, statements, oversight);
}

/** Each line is a statement in single-user mode. */
function runSingleUser(cluster: Cluster, statements: string[], oversight: Oversight): Promise<void> {
  const settings = ["-c", "log_checkpoints=off", "-c", "shared_buffers=16MB", "-c", "exit_on_error=on"];
  const args = ["--single", "-D", locateCluster(cluster).directoryArgument, ...settings, "postgres"];
  return runProgram(cluster, [cluster.binaries.postgres, ...args], `${statements.join("\n")}\n`, oversight);
}

/** Returns false if there is no cluster yet; throws if our Postgres cannot use the existing data. */
export function hasUsableCluster(dataDirectory: string, majorVersion: number): boolean {
  if (!existsSync(dataDirectory)) return false;
  try {
    const found = readFileSync(join(dataDirectory, "PG_VERSION"), "utf8").trim();
    if (Number.parseInt(found, 10) === majorVersion) return true;
    throw new EmbeddedPostgresError(
      "other_major_version",
      `The database in ${dataDirectory} was created by Postgres ${found}, but this Stashlight includes Postgres ${majorVersion}; use the Stashlight that created it, or move the folder away to start afresh.`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw explainFileError(error, dataDirectory);
    if (readdirSync(dataDirectory).length === 0) return dropEmpty(dataDirectory);
    throw new EmbeddedPostgresError(
      "broken_data",
      `${dataDirectory} is not a Postgres data folder; restore it from a backup, or move it away to start afresh.`,
      error,
    );
  }
}

function dropEmpty(dataDirectory: string): false {
  rmSync(dataDirectory, { recursive: true });
  return false;
}

/**
 * Restricts the data folder: Postgres refuses one that others may enter, which a copy or a restore easily leaves
 * behind.
 */
export function closeToOthers(dataDirectory: string): void {
  try {
    chmodSync(dataDirectory, 0o700);
  } catch (error) {
    throw explainFileError(error, dataDirectory);
  }
}
