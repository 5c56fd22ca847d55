/** One ingest as a real process, on the benchmark's database; and a bare server beside it. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { Platform } from "@stashlight/services/platform";

const CPU_TICK_SECONDS = 0.01;

export interface ServerProcess {
  readonly port: number;
  /** User and system time so far; Linux reports it for any process. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export async function startIngest({ options }: Platform): Promise<ServerProcess> {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL("../../../apps/ingest/src/main.ts", import.meta.url)), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: options.databaseUrl,
      STASHLIGHT_SECRET: options.secret,
      STASHLIGHT_PUBLIC_URL: options.publicUrl,
      STASHLIGHT_INGEST_PORT: String(port),
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return serverProcess(child, port);
}

export async function startBareServer(): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL("bare-server.ts", import.meta.url)), {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [port] = (await once(child, "message")) as [number];
  return serverProcess(child, port);
}

function serverProcess(child: ChildProcess, port: number): ServerProcess {
  return {
    port,
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) * CPU_TICK_SECONDS;
    },
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
