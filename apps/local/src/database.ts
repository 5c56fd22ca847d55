import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { openEmbeddedPostgres } from "@stashlight/db/embedded";
import { explainFileError, Failure } from "./failure.ts";
import { askHelper } from "./helper-process.ts";
import { logFilePath, prepareLogFile } from "./log-files.ts";
import type { NodeProcess } from "./node-process.ts";
import type { DatabasePrepared } from "./prepare-database.ts";
import type { Part } from "./supervisor.ts";

export interface DatabaseAddress {
  /** Login for migrations. */
  ownerUrl: string;
  /** Login for console and worker. */
  runtimeUrl: string;
  description: string;
}

/** The embedded Postgres as a part that is restarted; `onOpen` receives its address at the first start. */
export function embeddedDatabase(
  dataDirectory: string,
  log: (line: string) => void,
  onOpen: (address: DatabaseAddress) => void,
): Part {
  let firstPort: number | undefined;
  return {
    label: "Database",
    stopPatienceMs: 3000,
    consequence: "Console, ingest, jobs and alerts wait for it; agents keep what they measure meanwhile.",
    logFile: logFilePath(dataDirectory, "postgres"),
    async start(onSpawn, stopping) {
      const logFile = prepareLogFile(dataDirectory, "postgres");
      const running = await openEmbeddedPostgres({
        directory: dataDirectory,
        log,
        logFile,
        signal: stopping,
        onSpawn,
      });
      if (firstPort !== undefined && running.port !== firstPort) {
        await running.stop(3000);
        throw new Failure(`Port ${firstPort}, which the database used before, is taken by another program.`);
      }
      firstPort = running.port;
      const { ownerUrl, runtimeUrl, version, port } = running;
      onOpen({ ownerUrl, runtimeUrl, description: `Postgres ${version} on port ${port}` });
      return running;
    },
  };
}

export function externalDatabase(ownerUrl: string, runtimeUrl: string): DatabaseAddress {
  const { host, pathname } = new URL(ownerUrl);
  return { ownerUrl, runtimeUrl, description: `${pathname.slice(1)} at ${host}` };
}

/** Migrates, and explains how to create the first administrator if there is none. */
export function prepareDatabase(
  definition: NodeProcess,
  onSpawn: (child: ChildProcess) => void,
): Promise<DatabasePrepared> {
  return askHelper<DatabasePrepared>(definition, "prepared", onSpawn);
}

export function prepareDatabaseProcess(
  dataDirectory: string,
): Pick<NodeProcess, "label" | "entry" | "logFile"> {
  try {
    const logFile = prepareLogFile(dataDirectory, "migrations");
    return { label: "Migrating", entry: join(import.meta.dirname, "prepare-database.ts"), logFile };
  } catch (error) {
    throw explainFileError(error, dataDirectory);
  }
}
