/**
 * A bundled Postgres in a folder, with the programs of an npm package: created when first opened and started on each
 * opening, whatever state an earlier run left behind.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sessionLimits } from "../session-limits.ts";
import { prepareBinaries } from "./binaries.ts";
import {
  closeToOthers,
  createCluster,
  databaseName,
  hasUsableCluster,
  ownerRole,
  resetPasswords,
  runtimeRole,
} from "./cluster.ts";
import type { Cluster } from "./cluster-paths.ts";
import { type Credentials, newCredentials, readCredentials, writeCredentials } from "./credentials.ts";
import { EmbeddedPostgresError, explainFileError } from "./errors.ts";
import { chooseIdentity } from "./identity.ts";
import { clearLeftover } from "./leftover.ts";
import { endOrphans } from "./orphans.ts";
import { choosePort } from "./port.ts";
import type { DatabaseProcess, Oversight } from "./program.ts";
import { startServer } from "./server.ts";

export type { EmbeddedPostgresErrorCode } from "./errors.ts";

export type { DatabaseProcess, Oversight, ProcessExit } from "./program.ts";

export interface EmbeddedPostgresOptions extends Oversight {
  /** Contains `postgres/` (the data), `postgres-credentials.json` and, by default, the log. */
  directory: string;
  log?: (line: string) => void;
  /** The server's log file; by default `logs/postgres.log` in the directory. */
  logFile?: string;
  /** `none` is for throw-away databases: several times as fast, but lost in a power cut. */
  durability?: "full" | "none";
}

export interface EmbeddedPostgres extends DatabaseProcess {
  /** Connection string of the role that owns the database, may create databases and roles, and is not a superuser. */
  ownerUrl: string;
  /** Connection string of the role the product runs as; all its rights come from the group role `stashlight_app`. */
  runtimeUrl: string;
  port: number;
  version: string;
  dataDirectory: string;
  /** Ends every connection and the server; after `patienceMs` (10 s by default) without clean-up. */
  stop(patienceMs?: number): Promise<void>;
}

const stopPatienceMs = 10_000;
/** Longer than the time limit of ordinary statements, so that they have ended by then. */
const orphanPatienceMs = sessionLimits.worker.statementTimeoutMs + 10_000;
const orphanPollMs = 200;
const startAttemptsMax = 5;

export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, log = () => {}, durability = "full" } = options;
  const dataDirectory = join(directory, "postgres");
  const credentialsFile = join(directory, "postgres-credentials.json");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainFileError(error, directory);
  }
  const identity = chooseIdentity(dataDirectory);
  const binaries = prepareBinaries(identity);
  const cluster: Cluster = { binaries, dataDirectory, identity, isDurable: durability === "full" };

  const known = readCredentials(credentialsFile);
  const credentials = known ?? newCredentials();
  if (hasUsableCluster(dataDirectory, binaries.majorVersion)) {
    closeToOthers(dataDirectory);
    await clearLeftover(dataDirectory, log, options.signal);
    await endOrphans(dataDirectory, log);
    if (!known) {
      log("The database's credentials file was lost or broken; giving its roles new passwords.");
      await waitForOrphans(() => resetPasswords(cluster, credentials, options), log, options.signal);
    }
  } else {
    log("Creating the database.");
    await createCluster(cluster, credentials, options);
  }
  const keep = (port: number) => {
    credentials.port = port;
    writeCredentials(credentialsFile, credentials);
  };
  if (!known) writeCredentials(credentialsFile, credentials);
  const logFile = options.logFile ?? join(directory, "logs/postgres.log");
  const { server, port } = await startOnFreePort(cluster, credentials, {
    logFile,
    keep,
    log,
    oversight: options,
  });
  return describe(cluster, credentials, server, port);
}

interface StartContext {
  logFile: string;
  keep(port: number): void;
  log(line: string): void;
  oversight: Oversight;
}

async function startOnFreePort(cluster: Cluster, credentials: Credentials, context: StartContext) {
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(credentials.port);
    if (port !== credentials.port) context.keep(port);
    try {
      const start = () => startServer(cluster, port, context.logFile, context.oversight);
      return { server: await waitForOrphans(start, context.log, context.oversight.signal), port };
    } catch (error) {
      const isPortTaken = error instanceof EmbeddedPostgresError && error.code === "port_taken";
      if (!isPortTaken || attempt === startAttemptsMax) throw error;
    }
  }
}

/** Orphaned backends that cannot be ended hold the shared memory until their statement ends. */
async function waitForOrphans<T>(
  action: () => Promise<T>,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<T> {
  const deadlineMs = performance.now() + orphanPatienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      const isInUse = error instanceof EmbeddedPostgresError && error.code === "still_in_use";
      if (!isInUse || performance.now() > deadlineMs) throw error;
      if (attempt === 1) log("Waiting for processes of an earlier Postgres to end.");
      await delay(orphanPollMs, undefined, { ...(signal && { signal }) });
    }
  }
}

/** Connection string of the owner, with the port of the last start; null if the folder's database was never started. */
export function ownerUrlIn(directory: string): string | null {
  const { port, ownerPassword } = readCredentials(join(directory, "postgres-credentials.json")) ?? {};
  return port === undefined
    ? null
    : `postgresql://${ownerRole}:${ownerPassword}@127.0.0.1:${port}/${databaseName}`;
}

function describe(
  cluster: Cluster,
  credentials: Credentials,
  server: DatabaseProcess,
  port: number,
): EmbeddedPostgres {
  const roleUrl = (role: string, password: string) =>
    `postgresql://${role}:${password}@127.0.0.1:${port}/${databaseName}`;
  return {
    ownerUrl: roleUrl(ownerRole, credentials.ownerPassword),
    runtimeUrl: roleUrl(runtimeRole, credentials.runtimePassword),
    port,
    version: cluster.binaries.version,
    dataDirectory: cluster.dataDirectory,
    pid: server.pid,
    exited: server.exited,
    kill: () => server.kill(),
    stop: (patienceMs = stopPatienceMs) => server.stop(patienceMs),
  };
}
