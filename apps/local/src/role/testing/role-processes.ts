/** Ingests and workers as real processes that share a test's database. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { compileCacheEnvironment } from "@stashlight/contracts/process";
import { isPortFree } from "@stashlight/node-runtime/config";
import type { TestInstallation } from "@stashlight/services/testing";
import { expect, vi } from "vitest";
import { programs } from "../start.ts";

export const projectDirectory = resolve(import.meta.dirname, "../../../../..");

export interface Started {
  readonly child: ChildProcess;
  readonly origin: string;
}

const running = new Set<ChildProcess>();

const givenPorts = new Set<number>();

/** Above the ports of vaults (see findFreePorts), and below those that the system gives to outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 30_000 + Math.floor(Math.random() * 2_700);
    if (givenPorts.has(port) || !(await isPortFree("127.0.0.1", port))) continue;
    givenPorts.add(port);
    return port;
  }
}

/** Starts the role's program, on a port that it keeps across restarts. */
export async function start(
  { platform }: TestInstallation,
  role: "ingest" | "worker",
  port: number,
): Promise<Started> {
  const { databaseUrl, secret, publicUrl } = platform.options;
  const { entry, nodeFlags } = programs[role];
  const child = spawn(process.execPath, [...nodeFlags, resolve(projectDirectory, entry)], {
    env: {
      PATH: process.env.PATH,
      ...compileCacheEnvironment(),
      DATABASE_URL: databaseUrl,
      STASHLIGHT_SECRET: secret,
      STASHLIGHT_PUBLIC_URL: publicUrl,
      [`STASHLIGHT_${role.toUpperCase()}_PORT`]: String(port),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(child);
  const origin = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    if (child.exitCode !== null) return child.exitCode;
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    return null;
  };
  const exitCode = await vi.waitFor(isReady, { timeout: 60_000, interval: 50 });
  if (exitCode !== null) throw new Error(`The ${role} ended with exit code ${exitCode} before it was ready.`);
  return { child, origin };
}

export async function kill(child: ChildProcess): Promise<void> {
  if (!running.delete(child) || child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

export const killAll = (): Promise<unknown> => Promise.all([...running].map(kill));
