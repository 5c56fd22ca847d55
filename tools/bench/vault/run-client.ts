import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ClientResult } from "./client.ts";

/** The measuring process's garbage collection is not measured, but shares the cores with the vault. */
const clientFlags = ["--initial-old-space-size=256", "--max-semi-space-size=32"];

export interface Load {
  readonly verb: "put" | "get";
  readonly bytes: number;
  readonly connections: number;
  readonly seconds: number;
  /** Operations started per second; undefined to start one after each answer. */
  readonly rate?: number;
}

const run = promisify(execFile);

/** One turn of a client against the vault of this target (target.ts). */
export async function runClient(target: string, load: Load): Promise<ClientResult> {
  const { verb, bytes, connections, seconds, rate } = load;
  const script = join(import.meta.dirname, "client.ts");
  const args = [target, verb, String(bytes), String(connections), String(seconds)];
  if (rate !== undefined) args.push(String(rate));
  const { stdout } = await run(process.execPath, [...clientFlags, script, ...args]);
  return JSON.parse(stdout) as ClientResult;
}
