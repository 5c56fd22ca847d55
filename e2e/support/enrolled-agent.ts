import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Enrolment {
  readonly name: string;
  readonly ingestUrl: string;
  readonly enrolmentToken: string;
}

export interface EnrolledAgent {
  stop(): Promise<void>;
}

/**
 * Starts an agent as its machine would, in a folder that is removed with it. Resolves when the agent reports that it is
 * ready.
 */
export async function startEnrolledAgent(
  entry: string,
  folder: string,
  { name, ingestUrl, enrolmentToken }: Enrolment,
  more: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<EnrolledAgent> {
  await writeFile(join(folder, "enrolment.token"), `${enrolmentToken}\n`, { mode: 0o600 });
  const args = ["--ingest", ingestUrl, "--name", name, "--state", "state", ...more];
  const child = spawn(process.execPath, [entry, ...args, "--enrolment-token-file", "enrolment.token"], {
    cwd: folder,
    env,
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
