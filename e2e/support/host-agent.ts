import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Enrolment, startEnrolledAgent } from "./enrolled-agent.ts";

const ENTRY = resolve(import.meta.dirname, "../../agents/host/src/main.ts");

/** The agent of a watched machine as people run it, with a folder whose syncs it times. Resolves when it watches. */
export async function startHostAgent(enrolment: Enrolment) {
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-host-"));
  const timed = join(folder, "timed");
  await mkdir(timed);
  return startEnrolledAgent(ENTRY, folder, enrolment, ["--fsync", `${timed}=ssd`]);
}
