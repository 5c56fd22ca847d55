import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { freePort, type Installation } from "./installation.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");

/** An ingest beside a running Stashlight, on its database: the door at which a spec enrols nodes. */
export interface Ingest {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startIngest({ databaseUrl, dataFolder, url }: Installation): Promise<Ingest> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(REPOSITORY, "apps/ingest/src/main.ts")], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      STASHLIGHT_SECRET: (await readFile(join(dataFolder, "secret"), "utf8")).trim(),
      STASHLIGHT_PUBLIC_URL: url,
      STASHLIGHT_INGEST_PORT: String(port),
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const [report] = (await once(child, "message")) as [{ type: string; message?: string }];
  if (report.type !== "ready") throw new Error(report.message);
  const stop = async (): Promise<void> => {
    child.disconnect();
    await exited;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
