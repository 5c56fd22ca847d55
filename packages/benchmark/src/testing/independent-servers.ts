/** An S3 server that others wrote, in Go, as a process of the system; for tests. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_CREDENTIALS } from "./test-job.ts";

export interface VersityGateway {
  readonly url: string;
  readonly credentials: typeof TEST_CREDENTIALS;
  readonly close: () => Promise<void>;
}

const STARTED_WITHIN_MS = 20_000;

/** Null, and a line that cannot be overlooked, where it is not installed. */
export function findVersityGateway(): string | null {
  const found = ["versitygw", join(homedir(), "go/bin/versitygw")].find(
    (command) => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0,
  );
  if (found !== undefined) return found;
  console.warn(
    "SKIPPED: versitygw is not on this machine; install it (github.com/versity/versitygw) to see that benchmarks work with an S3 server that is not ours.",
  );
  return null;
}

export async function startVersityGateway(command: string): Promise<VersityGateway> {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-versity-"));
  const port = await findFreePort();
  const { accessKeyId, secretAccessKey } = TEST_CREDENTIALS;
  const server = spawn(command, ["--port", `127.0.0.1:${port}`, "--keep-alive", "posix", folder], {
    env: { ...process.env, ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
    stdio: "ignore",
  });
  const close = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill();
      await once(server, "exit");
    }
    rmSync(folder, { recursive: true });
  };
  try {
    await listening(port);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, credentials: TEST_CREDENTIALS, close };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function listening(port: number): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < STARTED_WITHIN_MS) {
    const socket = connect({ host: "127.0.0.1", port });
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => setTimeout(() => resolve(false), 50));
    });
    socket.destroy();
    if (isThere) return;
  }
  throw new Error("The independent S3 server did not start.");
}
