import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Page } from "@playwright/test";
import { endAgent, makeKeys, vaultFile } from "./agent.ts";
import { withRows } from "./database.ts";
import { post } from "./post.ts";
import type { SeededInstallation } from "./test.ts";

const ENTRY = resolve(import.meta.dirname, "../../agents/node/src/main.ts");
const READY_MS_MAX = 90_000;
const ASK_EVERY_MS = 100;

/** A whole vault that accepts uploads, with one process per role. Only the coordinator enrols. */
export interface VaultAgents {
  readonly s3Url: string;
  stop(): Promise<void>;
}

interface VaultAgentsOptions {
  readonly vault: string;
  readonly ingestUrl: string;
  /** Token with which the coordinator enrols. */
  readonly enrolmentToken: string;
  /** Interval of lifecycle passes, instead of an hour. */
  readonly lifecycleEveryMs: number | undefined;
}

/** Starts a vault with a new name, which enrols at the installation; `page` is an admin's. */
export async function startEnrolledVault(
  page: Page,
  stashlight: SeededInstallation,
  { lifecycleEveryMs }: { readonly lifecycleEveryMs?: number } = {},
): Promise<{ vault: string; agents: VaultAgents }> {
  const vault = `vault-${randomUUID().slice(0, 8)}`;
  const { token: enrolmentToken } = await post<{ token: string }>(
    page.request,
    stashlight.url,
    "node.createToken",
    { vault, role: "coordinator", isAutoApproved: true },
  );
  const agents = await startVaultAgents({
    vault,
    ingestUrl: stashlight.ingestUrl,
    enrolmentToken,
    lifecycleEveryMs,
  });
  // A vault is ready before the console knows it, by seconds on a busy machine.
  await withRows(stashlight.databaseUrl, (rows) =>
    expect
      .poll(() => rows("SELECT 1 FROM node WHERE vault = $1 AND role = 'coordinator'", [vault]), {
        timeout: READY_MS_MAX,
      })
      .toHaveLength(1),
  );
  return { vault, agents };
}

async function startVaultAgents(options: VaultAgentsOptions): Promise<VaultAgents> {
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-vault-"));
  const { lifecycleEveryMs } = options;
  const lifecycle = lifecycleEveryMs === undefined ? {} : { lifecycle: { everyMs: lifecycleEveryMs } };
  const file = { ...(await vaultFile(options)), ...lifecycle };
  await writeFile(join(folder, "vault.json"), JSON.stringify(file), { mode: 0o600 });
  await writeFile(join(folder, "enrolment.token"), `${options.enrolmentToken}\n`, { mode: 0o600 });
  await makeKeys(folder);
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(endAgent));
    await rm(folder, { recursive: true, force: true });
  };
  const start = async (role: string, args: readonly string[]): Promise<void> => {
    const child = spawn(process.execPath, [ENTRY, "--config", "vault.json", "--node", `${role}-1`, ...args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    children.push(child);
    const [report] = (await once(child, "message")) as [{ type: string; message?: string }];
    if (report.type !== "ready") throw new Error(report.message);
  };
  try {
    await Promise.all([
      start("pod", ["--format"]),
      start("stash", ["--format"]),
      start("coordinator", ["--enrolment-token-file", "enrolment.token"]),
    ]);
    const coordinator = file.nodes.find((node) => "s3" in node);
    if (coordinator === undefined || !("s3" in coordinator)) throw new Error("The vault has no coordinator.");
    const token = (await readFile(join(folder, "admin.token"), "utf8")).trim();
    await ready(`http://127.0.0.1:${coordinator.adminPort}/readyz`, token);
    return { s3Url: `http://127.0.0.1:${coordinator.s3.port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ready(url: string, adminToken: string): Promise<void> {
  const deadline = AbortSignal.timeout(READY_MS_MAX);
  for (;;) {
    const headers = { authorization: `Bearer ${adminToken}` };
    const answer = await fetch(url, { headers, signal: deadline }).catch(() => null);
    if (answer?.ok === true) return;
    deadline.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
