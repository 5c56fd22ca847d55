import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ENTRY = resolve(import.meta.dirname, "../../agents/host/src/main.ts");

export interface HostAgentOptions {
  readonly name: string;
  readonly ingestUrl: string;
  readonly enrolmentToken: string;
}

/** The agent of a watched machine as people run it, with a folder whose syncs it times. Resolves when it watches. */
export async function startHostAgent({ name, ingestUrl, enrolmentToken }: HostAgentOptions) {
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-host-"));
  const timed = join(folder, "timed");
  await mkdir(timed);
  await writeFile(join(folder, "enrolment.token"), `${enrolmentToken}\n`, { mode: 0o600 });
  const args = ["--ingest", ingestUrl, "--name", name, "--state", "state", "--fsync", `${timed}=ssd`];
  const child = spawn(process.execPath, [ENTRY, ...args, "--enrolment-token-file", "enrolment.token"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const [report] = (await once(child, "message")) as [{ type: string; message?: string }];
  if (report.type === "ready") return { stop };
  await stop();
  throw new Error(report.message);
}
