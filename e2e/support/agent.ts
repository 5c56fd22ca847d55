import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "./installation.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");

/** A pod of a small vault in a separate process, as on a machine, with three folders as drives. */
export interface PodAgent {
  /** Name of the node in the console. */
  readonly name: string;
  stop(): Promise<void>;
}

export interface PodAgentOptions {
  readonly vault: string;
  readonly ingestUrl: string;
  readonly enrolmentToken: string;
}

export async function startPodAgent(options: PodAgentOptions): Promise<PodAgent> {
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-pod-"));
  await writeFile(join(folder, "vault.json"), JSON.stringify(await vaultFile(options)), { mode: 0o600 });
  await writeFile(join(folder, "enrolment.token"), `${options.enrolmentToken}\n`, { mode: 0o600 });
  await makeKeys(folder);
  const args = ["--config", "vault.json", "--node", "pod-1", "--enrolment-token-file", "enrolment.token"];
  const entry = join(REPOSITORY, "agents/node/src/main.ts");
  const child = spawn(process.execPath, [entry, ...args, "--format"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const stop = async (): Promise<void> => {
    await endAgent(child);
    await rm(folder, { recursive: true, force: true });
  };
  const [report] = (await once(child, "message")) as [{ type: string; message?: string }];
  if (report.type === "ready") return { name: `${options.vault}.pod-1`, stop };
  await stop();
  throw new Error(report.message);
}

export const makeKeys = (folder: string): Promise<void> =>
  runVaultCommand(folder, ["keys", "--config", "vault.json"]);

/** Runs `stashlight vault ARGS` in this folder. */
export const startVaultCommand = (folder: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(REPOSITORY, "apps/cli/src/main.ts"), "vault", ...args], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });

/** Rejects if the command does not exit with 0. */
export async function runVaultCommand(folder: string, args: readonly string[]): Promise<void> {
  const [code] = await once(startVaultCommand(folder, args), "exit");
  if (code !== 0) throw new Error(`"stashlight vault ${args.join(" ")}" ended with ${code}.`);
}

/** Layout of a vault with two data shards and one parity shard, and one node per role. */
export async function vaultFile({ vault, ingestUrl }: Pick<PodAgentOptions, "vault" | "ingestUrl">) {
  const id = () => randomBytes(16).toString("hex");
  const place = async (node: string) => ({
    id: node,
    host: "127.0.0.1",
    port: await freePort(),
    adminPort: await freePort(),
    stateFolder: `${node}/state`,
  });
  const drives = (kind: "pod" | "device") =>
    [0, 1, 2].map((at) => ({ [kind]: at, driveId: id(), path: `${kind}-${at}` }));
  const volume = { segmentBytes: 2_097_152, segmentCount: 4 };
  return {
    formatVersion: 1,
    clusterId: id(),
    name: vault,
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    epoch: 1,
    pieceBytes: 1_048_576,
    podVolume: volume,
    stashVolume: volume,
    telemetry: { ingest: ingestUrl, windowSeconds: 1 },
    nodes: [
      {
        ...(await place("coordinator-1")),
        role: "coordinator",
        s3: { host: "127.0.0.1", port: await freePort() },
      },
      { ...(await place("pod-1")), role: "pod", drives: drives("pod") },
      { ...(await place("stash-1")), role: "stash", drives: drives("device") },
    ],
  };
}

export async function endAgent(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}
