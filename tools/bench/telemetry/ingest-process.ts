/** An ingest as the process that it is. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { Platform } from "@stashlight/services";

export interface IngestProcess {
  readonly child: ChildProcess;
  readonly port: number;
  stop(): Promise<void>;
}

export async function startIngestProcess(platform: Platform): Promise<IngestProcess> {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL("../../../apps/ingest/src/main.ts", import.meta.url)), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: platform.options.databaseUrl,
      STASHLIGHT_SECRET: platform.options.secret,
      STASHLIGHT_PUBLIC_URL: platform.options.publicUrl,
      STASHLIGHT_INGEST_PORT: String(port),
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return {
    child,
    port,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
