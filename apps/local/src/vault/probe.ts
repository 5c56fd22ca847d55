/** A probe beside the drives of this machine's vault: "Run fsync probe" on a drive's page uses it. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { logFilePath, prepareLogFile } from "../log-files.ts";
import { startNode } from "../node-process.ts";
import type { Part } from "../supervisor.ts";
import type { VaultPrepared } from "./prepare-vault.ts";
import type { LocalProbe } from "./probe-drives.ts";
import type { VaultPorts } from "./vault-file.ts";

/** Relative to the folder of the repository. */
export const probeEntry = "agents/probe/src/main.ts";

const stopPatienceMs = 2500;
/** A small young generation, because the probe mostly waits. */
const nodeFlags = ["--max-semi-space-size=2"];

export interface ProbeStart {
  projectDirectory: string;
  dataDirectory: string;
  ports: Pick<VaultPorts, "ingest">;
  env: NodeJS.ProcessEnv;
  /** Starts a part that no other part depends on. */
  keepPart(part: Part): Promise<unknown>;
}

export async function startProbe(
  { probe, enrolmentTokenFiles }: VaultPrepared,
  { projectDirectory, dataDirectory, ports, env, keepPart }: ProbeStart,
  number: number,
): Promise<void> {
  if (probe === null) return;
  const tokenFile = enrolmentTokenFiles.probe;
  const processName = number === 1 ? "probe" : `vault-${number}-probe`;
  await keepPart({
    label: number === 1 ? "Probe" : `Vault ${number} probe`,
    stopPatienceMs,
    consequence: "Drives cannot be measured from the console meanwhile.",
    logFile: logFilePath(dataDirectory, processName),
    start: (onSpawn) =>
      startNode(
        {
          label: "The vault's probe",
          entry: join(projectDirectory, probeEntry),
          args: [
            ...["--ingest", `http://127.0.0.1:${ports.ingest}`, "--name", probe.name],
            ...["--state", probe.stateFolder, "--drives", writeDrives(probe)],
            ...(tokenFile === undefined ? [] : ["--enrolment-token-file", tokenFile]),
          ],
          nodeFlags,
          env,
          workingDirectory: projectDirectory,
          logFile: prepareLogFile(dataDirectory, processName),
        },
        onSpawn,
      ),
  });
}

/** Leaves out lost drives, which the probe would refuse. */
function writeDrives({ stateFolder, drives }: LocalProbe): string {
  const path = `${stateFolder}-drives.json`;
  const there = drives.filter(({ folder }) => existsSync(folder));
  writeFileSync(path, `${JSON.stringify(there, null, 2)}\n`, { mode: 0o600 });
  return path;
}
