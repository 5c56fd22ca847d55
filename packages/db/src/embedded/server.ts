/** One run of the server process: start, wait until it accepts connections, stop. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sessionLimits } from "../session-limits.ts";
import { type Cluster, locateCluster } from "./cluster-paths.ts";
import { explainFileError, explainOutput } from "./errors.ts";
import { clusterName } from "./leftover.ts";
import type { DatabaseProcess, Oversight, ProcessExit } from "./program.ts";

const readyPollMs = 20;
const immediateShutdownMs = 3_000;
const abortPatienceMs = 3_000;

/** A small server for one machine. It listens only on the loopback address and has no Unix socket. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "60",
  // Enough for the newest buckets of a thousand nodes; a small installation does not fill it.
  shared_buffers: "128MB",
  maintenance_work_mem: "32MB",
  // Limits the replay after a crash to about 500 MB, which takes seconds.
  max_wal_size: "512MB",
  max_wal_senders: "0",
  max_replication_slots: "0",
  max_logical_replication_workers: "0",
  max_worker_processes: "4",
  autovacuum_worker_slots: "3",
  // Disabled, because three extra read-ahead processes are worth their memory only on large disks.
  io_method: "sync",
  jit: "off",
  // Applies to connections without a purpose; every connection of the product has one.
  statement_timeout: String(sessionLimits.tool.statementTimeoutMs),
  idle_in_transaction_session_timeout: String(sessionLimits.tool.idleInTransactionMs),
  // A query ends soon after its client has gone.
  client_connection_check_interval: "5s",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
};

const withoutDurability = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

export async function startServer(
  cluster: Cluster,
  port: number,
  logFile: string,
  oversight: Oversight,
): Promise<DatabaseProcess> {
  oversight.signal?.throwIfAborted();
  const log = openLog(logFile);
  try {
    const { directoryArgument, spawnOptions } = locateCluster(cluster);
    const wanted = {
      ...settings,
      ...(cluster.isDurable ? {} : withoutDurability),
      port: String(port),
      cluster_name: clusterName(cluster.dataDirectory),
    };
    const flags = Object.entries(wanted).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(cluster.binaries.postgres, ["-D", directoryArgument, ...flags], {
      ...spawnOptions,
      detached: true,
      stdio: ["ignore", log.descriptor, log.descriptor],
    });
    return await waitUntilReady(child, cluster.dataDirectory, () => log.readNew(), oversight);
  } finally {
    closeSync(log.descriptor);
  }
}

async function waitUntilReady(
  child: ChildProcess,
  dataDirectory: string,
  readLog: () => string,
  { signal, onSpawn }: Oversight,
): Promise<DatabaseProcess> {
  let exit: ProcessExit | undefined;
  let spawnError: Error | undefined;
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
    child.once("error", (error) => {
      spawnError = error;
    });
  });
  const server: DatabaseProcess = {
    pid: child.pid ?? 0,
    exited,
    stop: (patienceMs) => stop(child, exited, patienceMs),
    // Postgres's own way to stop at once, which ends its backends as well.
    kill: () => void child.kill("SIGQUIT"),
  };
  if (child.pid !== undefined) onSpawn?.(server);
  for (;;) {
    if (spawnError) throw explainFileError(spawnError, child.spawnfile);
    // Before readiness: on a busy machine the server may be ready when this process runs again.
    if (signal?.aborted) await server.stop(abortPatienceMs);
    signal?.throwIfAborted();
    if (isReady(dataDirectory, child.pid)) return server;
    if (exit) throw explainOutput(readLog(), dataDirectory);
    await delay(readyPollMs);
  }
}

/** The eighth line of the pid file is the server's state, written once it accepts connections. */
function isReady(dataDirectory: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(dataDirectory, "postmaster.pid"), "utf8").split("\n");
    return Number(lines[0]) === pid && lines[7]?.trim() === "ready";
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess, exited: Promise<ProcessExit>, patienceMs: number): Promise<void> {
  const waitFor = (ms: number) => Promise.race([exited.then(() => true), delay(ms, false, { ref: false })]);
  child.kill("SIGINT");
  if (await waitFor(patienceMs)) return;
  child.kill("SIGQUIT");
  if (await waitFor(immediateShutdownMs)) return;
  child.kill("SIGKILL");
  await exited;
}

function openLog(path: string) {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const descriptor = openSync(path, "a+", 0o600);
    const startBytes = fstatSync(descriptor).size;
    return {
      descriptor,
      readNew: () => {
        const buffer = Buffer.alloc(Math.min(fstatSync(descriptor).size - startBytes, 64 * 1024));
        const readBytes = readSync(descriptor, buffer, 0, buffer.length, startBytes);
        return buffer.toString("utf8", 0, readBytes);
      },
    };
  } catch (error) {
    throw explainFileError(error, path);
  }
}
