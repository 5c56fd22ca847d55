/**
 * Making a database cluster, and what is done to one while its server is stopped. Nothing here needs a password: a
 * stopped cluster is opened in Postgres's single-user mode by whoever owns its files.
 */
import { spawn } from "node:child_process";
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
import { join } from "node:path";
import type { Binaries } from "./binaries.ts";
import type { Credentials } from "./credentials.ts";
import { EmbeddedPostgresError, explainFileError, explainOutput } from "./errors.ts";
import type { Identity } from "./identity.ts";

export interface Cluster {
  binaries: Binaries;
  dataDirectory: string;
  identity: Identity | undefined;
  isDurable: boolean;
}

export const databaseName = "stashlight";
export const ownerRole = "stashlight_owner";
export const runtimeRole = "stashlight_runtime";
const superuser = "stashlight_superuser";

const accessRules = `# Written by Stashlight: this machine only, and nobody without a password.
host all ${superuser} all reject
host all all 127.0.0.1/32 scram-sha-256
`;

/**
 * As whom and from where a program of Postgres is started. Root's Postgres user may not be allowed to enter the
 * folders above the data; its own working directory it always reaches, and there it is started.
 */
export function placeOf({ dataDirectory, identity }: Pick<Cluster, "dataDirectory" | "identity">) {
  const isThroughProc = identity !== undefined && process.platform === "linux";
  return {
    directoryArgument: isThroughProc ? "/proc/self/cwd" : dataDirectory,
    spawnOptions: {
      cwd: dataDirectory,
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
      ...(identity && { uid: identity.uid, gid: identity.gid }),
    },
  };
}

/** Makes the cluster beside its final place and moves it there, so that a half-made one is never found. */
export async function createCluster(cluster: Cluster, credentials: Credentials): Promise<void> {
  const { dataDirectory, identity } = cluster;
  const partial = `${dataDirectory}.partial`;
  try {
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { mode: 0o700 });
    if (identity) chownSync(partial, identity.uid, identity.gid);
    await initialise({ ...cluster, dataDirectory: partial });
    await runSingleUser({ ...cluster, dataDirectory: partial }, creationStatements(credentials));
    writeFileSync(join(partial, "pg_hba.conf"), accessRules);
    renameSync(partial, dataDirectory);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw explainFileError(error, dataDirectory);
  }
}

function initialise(cluster: Cluster): Promise<void> {
  return runProgram(cluster, cluster.binaries.initdb, [
    ...["--pgdata", placeOf(cluster).directoryArgument, "--username", superuser, "--auth", "reject"],
    ...["--encoding", "UTF8", "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"],
    ...["--data-checksums", "--no-instructions", ...(cluster.isDurable ? [] : ["--no-sync"])],
  ]);
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
export function resetPasswords(cluster: Cluster, credentials: Credentials): Promise<void> {
  return runSingleUser(cluster, [
    `ALTER ROLE ${ownerRole} PASSWORD '${credentials.ownerPassword}'`,
    `ALTER ROLE ${runtimeRole} PASSWORD '${credentials.runtimePassword}'`,
  ]);
}

/** In single-user mode every line is a statement. */
function runSingleUser(cluster: Cluster, statements: string[]): Promise<void> {
  const settings = ["-c", "log_checkpoints=off", "-c", "shared_buffers=16MB", "-c", "exit_on_error=on"];
  const args = ["--single", "-D", placeOf(cluster).directoryArgument, ...settings, "postgres"];
  return runProgram(cluster, cluster.binaries.postgres, args, `${statements.join("\n")}\n`);
}

function runProgram(cluster: Cluster, program: string, args: string[], input = ""): Promise<void> {
  const { dataDirectory } = cluster;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...placeOf(cluster).spawnOptions, stdio: "pipe" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    // A program that fails early closes its input; its exit says why.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.once("error", (error) => reject(explainFileError(error, dataDirectory)));
    child.once("close", (code) => {
      const isFailed = code !== 0 || /^.*(FATAL|ERROR): /m.test(output);
      isFailed ? reject(explainOutput(output, dataDirectory)) : resolve();
    });
  });
}

/** False when there is none yet; throws when what is there cannot be served by our Postgres. */
export function hasUsableCluster(dataDirectory: string, majorVersion: number): boolean {
  if (!existsSync(dataDirectory)) return false;
  try {
    const found = readFileSync(join(dataDirectory, "PG_VERSION"), "utf8").trim();
    if (Number.parseInt(found, 10) === majorVersion) return true;
    throw new EmbeddedPostgresError(
      "other_major_version",
      `The database in ${dataDirectory} is of Postgres ${found}, but this Stashlight brings Postgres ${majorVersion}; use the Stashlight that made it, or move the folder away to start afresh.`,
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

/** Postgres refuses a data folder that others may enter, which a copy or a restore easily leaves behind. */
export function closeToOthers(dataDirectory: string): void {
  try {
    chmodSync(dataDirectory, 0o700);
  } catch (error) {
    throw explainFileError(error, dataDirectory);
  }
}
