import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ENTRY = resolve(import.meta.dirname, "../../agents/probe/src/main.ts");

export interface ProbeAgentOptions {
  readonly name: string;
  readonly ingestUrl: string;
  readonly enrolmentToken: string;
  /** A drive that it can write to: here a folder beside its state. */
  readonly node: string;
  readonly device: string;
  /** Offers the drive to plans, with these labels and limits. */
  readonly benchmark?: Readonly<Record<string, unknown>>;
}

export interface ProbeAgent {
  stop(): Promise<void>;
}

/** A probe as a machine of a vault runs it: its own process. Resolves when it has enrolled. */
export async function startProbeAgent(options: ProbeAgentOptions): Promise<ProbeAgent> {
  const { name, ingestUrl, enrolmentToken, node, device, benchmark } = options;
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-probe-"));
  const drive = join(folder, "drive");
  await mkdir(drive);
  await writeFile(join(folder, "drives.json"), JSON.stringify([{ node, device, folder: drive, benchmark }]));
  await writeFile(join(folder, "enrolment.token"), `${enrolmentToken}\n`, { mode: 0o600 });
  const args = ["--ingest", ingestUrl, "--name", name, "--state", "state", "--drives", "drives.json"];
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
