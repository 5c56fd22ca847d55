import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

/** A running Stashlight with a separate data folder, started as users start it, without the vault. */
export interface Installation {
  /** Origin of the console, without a trailing slash. */
  readonly url: string;
  readonly dataFolder: string;
  /** Address of the database, with the role that the product runs as. */
  readonly databaseUrl: string;
  /** Address of the database, with its owner's role, for specs that tamper with what the product cannot change. */
  readonly ownerDatabaseUrl: string;
  /** Address to which agents enrol and send measurements. */
  readonly ingestUrl: string;
  /** One-time link that the first start prints. */
  readonly setupUrl: string;
  /** Stops it and starts it again on the same data with further options; resolves to the terminal's output. */
  restart(args: readonly string[]): Promise<string>;
  /**
   * Stops the process and everything it started, and removes the data folder; its logs are kept in test-results/logs.
   */
  stop(): Promise<void>;
}

const REPOSITORY = resolve(import.meta.dirname, "../..");
const START_MS_MAX = 240_000;
const STOP_MS_MAX = 60_000;
const READY = "Press Ctrl-C to stop.";
const SETUP_LINK = /https?:\/\/\S+\/setup#[A-Za-z0-9_-]{43}/;

export interface InstallationOptions {
  /** Port of the console; a free port by default, unless the test has to know it beforehand. */
  readonly port?: number;
  /** Further variables, as a user sets them before `npm start`. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const dataFolder = await mkdtemp(join(tmpdir(), "stashlight-e2e-"));
  const port = options.port ?? (await freePort());
  const ingestPort = await freePort();
  const start = (args: readonly string[] = []) =>
    startProcess(
      ["--port", `${port}`, "--ingest-port", `${ingestPort}`, "--data", dataFolder, "--no-vault", ...args],
      options.environment,
    );
  const removeData = async (): Promise<void> => {
    await keepLogs(dataFolder);
    await rm(dataFolder, { recursive: true, force: true });
  };
  let running: RunningProcess;
  try {
    running = await start();
  } catch (error) {
    await removeData();
    throw error;
  }
  const stop = async (): Promise<void> => {
    await end(running.child);
    await removeData();
  };
  const restart = async (args: readonly string[]): Promise<string> => {
    await end(running.child);
    running = await start(args);
    return running.output;
  };
  try {
    const setupUrl = SETUP_LINK.exec(running.output)?.[0];
    if (setupUrl === undefined) throw new Error(`Stashlight printed no set-up link:\n${running.output}`);
    const databaseUrls = await readDatabaseUrls(dataFolder);
    const ingestUrl = `http://127.0.0.1:${ingestPort}`;
    return { url: new URL(setupUrl).origin, ingestUrl, dataFolder, setupUrl, restart, stop, ...databaseUrls };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads the credentials that the embedded Postgres keeps in the data folder. */
async function readDatabaseUrls(
  dataFolder: string,
): Promise<Pick<Installation, "databaseUrl" | "ownerDatabaseUrl">> {
  const text = await readFile(join(dataFolder, "postgres-credentials.json"), "utf8");
  const { port, ownerPassword, runtimePassword } = JSON.parse(text) as Record<string, string | number>;
  const address = `127.0.0.1:${port}/stashlight`;
  return {
    databaseUrl: `postgresql://stashlight_runtime:${runtimePassword}@${address}`,
    ownerDatabaseUrl: `postgresql://stashlight_owner:${ownerPassword}@${address}`,
  };
}

/**
 * Environment as in a user's shell, without a database address and without Playwright's variables. This machine is a
 * trusted proxy, so that each browser context can have another client address, because rate limits count addresses.
 */
function userEnvironment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, NODE_OPTIONS: _options, ...rest } = process.env;
  return { ...rest, STASHLIGHT_TRUSTED_PROXIES: "127.0.0.1" };
}

interface RunningProcess {
  readonly child: ChildProcess;
  /** Output until it was ready. */
  readonly output: string;
}

async function startProcess(
  args: readonly string[],
  environment: InstallationOptions["environment"],
): Promise<RunningProcess> {
  const child = spawn(process.execPath, ["apps/local/src/main.ts", ...args], {
    cwd: REPOSITORY,
    env: { ...userEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    return { child, output: await waitUntilReady(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

/**
 * Waits for the last line of the output, which is about stopping; by then pages are served and every link has been
 * printed.
 */
function waitUntilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(
      () => reject(new Error(`Stashlight was not ready within ${START_MS_MAX / 1000} s:\n${output}`)),
      START_MS_MAX,
    );
    const read = (text: string): void => {
      output += text;
      if (!output.includes(READY)) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout?.setEncoding("utf8").on("data", read);
    child.stderr?.setEncoding("utf8").on("data", read);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      reject(
        new Error(`Stashlight ended (${signal ?? `exit code ${code}`}) before it was ready:\n${output}`),
      );
    });
  });
}

/** Keeps the server's logs, which alone have the details of an internal error. */
async function keepLogs(dataFolder: string): Promise<void> {
  const kept = join(REPOSITORY, "test-results/logs", basename(dataFolder));
  await cp(join(dataFolder, "logs"), kept, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  await exited;
  clearTimeout(timer);
}

/**
 * Ports below those that the system gives to databases and outgoing connections, which may open before the port is used.
 * Each worker of Playwright has its own, because a port is taken seconds after it was found free.
 */
const FIRST_PORT = 30_000;
const PORTS_PER_WORKER = 900;
const WORKER_COUNT_MAX = 3;

const givenPorts = new Set<number>();

export async function freePort(): Promise<number> {
  return freePorts(1);
}

/** Returns the first of consecutive free ports, which later calls do not return. */
export async function freePorts(count: number): Promise<number> {
  const worker = Number(process.env.TEST_PARALLEL_INDEX ?? 0) % WORKER_COUNT_MAX;
  const workerFirst = FIRST_PORT + worker * PORTS_PER_WORKER;
  for (;;) {
    const first = workerFirst + Math.floor(Math.random() * (PORTS_PER_WORKER - count));
    const ports = Array.from({ length: count }, (_, offset) => first + offset);
    if (ports.some((port) => givenPorts.has(port))) continue;
    const free = await Promise.all(ports.map(isFree));
    if (free.includes(false)) continue;
    for (const port of ports) givenPorts.add(port);
    return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ host: "127.0.0.1", port, exclusive: true });
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
