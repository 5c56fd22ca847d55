import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Enrolment, startEnrolledAgent } from "./enrolled-agent.ts";

const ENTRY = resolve(import.meta.dirname, "../../agents/host/src/main.ts");

/**
 * Starts the agent of a watched machine, with a folder whose syncs it times and a store whose metrics it reads.
 * Resolves when the agent is ready.
 */
export async function startHostAgent({ storeUrl, ...enrolment }: Enrolment & { readonly storeUrl: string }) {
  const folder = await mkdtemp(join(tmpdir(), "stashlight-e2e-host-"));
  const timed = join(folder, "timed");
  await mkdir(timed);
  const scrapeFile = join(folder, "scrape.yaml");
  const source = `{ name: prod, kind: ceph, urls: ["${storeUrl}"], everySeconds: 5 }`;
  await writeFile(scrapeFile, `sources:\n  - ${source}\n`);
  const programs = await installSmartctl(folder);
  const more = ["--fsync", `${timed}=ssd`, "--scrape", scrapeFile];
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH ?? ""}` };
  return startEnrolledAgent(ENTRY, folder, enrolment, more, env);
}

/** Output of smartctl for every drive of the machine. */
const printed = {
  model_name: "Micron 7450 MTFDKCC1T6TFS",
  serial_number: "2243ABC",
  firmware_version: "E2MU200",
  smart_status: { passed: true },
  nvme_smart_health_information_log: { percentage_used: 12, available_spare: 98, media_errors: 0 },
  temperature: { current: 41 },
};

/** Installs a fake smartctl: a machine that runs the specs may have no physical drive, or no right to query it. */
async function installSmartctl(folder: string): Promise<string> {
  const programs = join(folder, "programs");
  await mkdir(programs);
  const script = `#!/bin/sh\nprintf '%s' '${JSON.stringify(printed)}'\n`;
  await writeFile(join(programs, "smartctl"), script, { mode: 0o755 });
  return programs;
}
