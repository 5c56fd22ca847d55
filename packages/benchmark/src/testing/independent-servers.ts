/** Independent object stores, run as processes of the system; for tests. */
import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TEST_CREDENTIALS } from "./test-job.ts";

export interface IndependentServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A store with another language's runtime takes half a minute to start on a machine whose processors are busy. */
const STARTED_WITHIN_MS = 120_000;
const ASKED_AGAIN_AFTER_MS = 50;
const ERROR_TEXT_LENGTH_MAX = 500;

interface Program {
  readonly name: string;
  /** Flag that prints the version, which shows whether the program is installed. */
  readonly versionFlag: string;
  readonly from: string;
  readonly stores: string;
}

const programs = {
  versitygw: {
    name: "versitygw",
    versionFlag: "--version",
    from: "github.com/versity/versitygw",
    stores: "an S3 server that is not ours",
  },
  azurite: {
    name: "azurite-blob",
    versionFlag: "--version",
    from: "npm install --global azurite",
    stores: "Azure Blob Storage",
  },
  fakeGcsServer: {
    name: "fake-gcs-server",
    versionFlag: "-help",
    from: "github.com/fsouza/fake-gcs-server",
    stores: "Google Cloud Storage",
  },
} satisfies Record<string, Program>;

/** Returns the command to start it; null, after a conspicuous message, if it is not installed. */
export function findServer(which: keyof typeof programs): string | null {
  const { name, versionFlag, from, stores } = programs[which];
  const found = [name, join(homedir(), "go/bin", name)].find(
    (command) => spawnSync(command, [versionFlag], { stdio: "ignore" }).error === undefined,
  );
  if (found !== undefined) return found;
  console.warn(
    `SKIPPED: ${name} is not on this machine; install it (${from}) to see that benchmarks work with ${stores}.`,
  );
  return null;
}

/** Serves S3 from a folder, with the credentials of the tests. */
export function startVersityGateway(command: string, signal?: AbortSignal): Promise<IndependentServer> {
  const { accessKeyId, secretAccessKey } = TEST_CREDENTIALS;
  const env = { ...process.env, ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey };
  return startServer(
    (port, folder) => ({
      command,
      args: ["--port", `127.0.0.1:${port}`, "--keep-alive", "posix", folder],
      options: { env },
    }),
    { signal },
  );
}

/** Serves Azure Blob Storage for the account in its documentation. */
export function startAzurite(command: string, signal?: AbortSignal): Promise<IndependentServer> {
  return startServer(
    (port, folder) => ({
      command,
      args: ["--blobHost", "127.0.0.1", "--blobPort", String(port), "--location", folder, "--silent"],
      options: {},
    }),
    { signal },
  );
}

/** Serves the JSON API of Google Cloud Storage without authentication. */
export function startFakeGcsServer(command: string, signal?: AbortSignal): Promise<IndependentServer> {
  return startServer(
    (port) => {
      const place = ["-host", "127.0.0.1", "-port", String(port), "-public-host", `127.0.0.1:${port}`];
      return { command, args: ["-scheme", "http", "-backend", "memory", ...place], options: {} };
    },
    { signal },
  );
}

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

export interface StartOptions {
  /** When aborted, a server that is still starting is ended. */
  readonly signal?: AbortSignal | undefined;
  readonly startedWithinMs?: number;
}

/** Rejects with its output when the program ends before it listens, or when it does not listen in time. */
export async function startServer(
  startOf: (port: number, folder: string) => Start,
  { signal, startedWithinMs = STARTED_WITHIN_MS }: StartOptions = {},
): Promise<IndependentServer> {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-store-"));
  const port = await findFreePort();
  const { command, args, options } = startOf(port, folder);
  const server = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let errorText = "";
  server.stderr?.on("data", (chunk: Buffer) => {
    errorText = `${errorText}${chunk}`.slice(-ERROR_TEXT_LENGTH_MAX);
  });
  let ended: string | null = null;
  server.once("error", (error) => {
    ended = error.message;
  });
  server.once("exit", (code, killedBy) => {
    ended ??= `it ended with ${killedBy ?? `exit code ${code}`}`;
  });
  const close = async (): Promise<void> => {
    if (ended === null) {
      server.kill();
      await once(server, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const startedAt = performance.now();
  try {
    while (!(await isListening(port))) {
      signal?.throwIfAborted();
      if (ended !== null) throw new Error(`${command} did not start: ${describeEnd(ended, errorText)}`);
      if (performance.now() - startedAt > startedWithinMs) {
        throw new Error(`${command} did not listen within ${startedWithinMs / 1000} s.`);
      }
      await sleep(ASKED_AGAIN_AFTER_MS);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, close };
}

const describeEnd = (ended: string, errorText: string): string =>
  errorText.trim() === "" ? `${ended}.` : `${ended} and wrote: ${errorText.trim()}`;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  const isThere = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  socket.destroy();
  return isThere;
}
