import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type EnrolledAgent, type Enrolment, startEnrolledAgent } from "./enrolled-agent.ts";

const ENTRY = resolve(import.meta.dirname, "../../agents/probe/src/main.ts");

export interface ProbeAgentOptions extends Enrolment {
  /** A drive that the probe can write to, here a folder beside its state. */
  readonly node: string;
  readonly device: string;
  /** Labels and limits with which the probe offers the drive to plans. */
  readonly benchmark?: Readonly<Record<string, unknown>>;
}

export type ProbeAgent = EnrolledAgent;

/** Starts a probe in a separate process, as a machine of a vault does. Resolves when the probe has enrolled. */
export async function startProbeAgent({
  node,
  device,
  benchmark,
  ...enrolment
}: ProbeAgentOptions): Promise<ProbeAgent> {
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-probe-"));
  const drive = join(folder, "drive");
  await mkdir(drive);
  await writeFile(join(folder, "drives.json"), JSON.stringify([{ node, device, folder: drive, benchmark }]));
  return startEnrolledAgent(ENTRY, folder, enrolment, ["--drives", "drives.json"]);
}
