/** A process of a vault's agents, as a part that the supervisor keeps running. */
import { join } from "node:path";
import { type AgentLaunch, agentEntry, DEPARTED_EXIT_CODE } from "@stashlight/node-runtime/launch";
import { logFilePath, prepareLogFile } from "../log-files.ts";
import { startNode } from "../node-process.ts";
import { partsFilePath } from "../parts-file.ts";
import type { Part } from "../supervisor.ts";
import type { VaultPrepared } from "./prepare-vault.ts";
import { isFormatted, vaultFilePath, vaultFolderPath } from "./vault-folders.ts";

export interface AgentSurroundings {
  projectDirectory: string;
  dataDirectory: string;
  env: NodeJS.ProcessEnv;
}

/** One of the vaults behind the endpoint, with its number. */
export interface NumberedVault {
  readonly number: number;
  readonly prepared: VaultPrepared;
}

/** New drives and segments are filled with zeros; this is the write rate of a slow disk. */
const slowDiskBytesPerSecond = 20e6;
const readyWithinMsMin = 300_000;
const stopPatienceMs = 2500;
/** Shorter than for other parts, because clients wait for it. */
const restartDelayMsMax = 10_000;

/** `behind` are the vaults behind the endpoint of this vault's coordinator. */
export function agentPart(
  { name, roles, nodeIds, nodeFlags, env: launchEnv }: AgentLaunch,
  { number, prepared }: NumberedVault,
  behind: readonly NumberedVault[],
  { projectDirectory, dataDirectory, env }: AgentSurroundings,
): Part {
  const folder = vaultFolderPath(dataDirectory, number);
  const processName = number === 1 ? name : `vault-${number}-${name}`;
  const further = roles.includes("coordinator") ? behind : [];
  const files = [number, ...further.map((vault) => vault.number)];
  const tokens = [
    ...roles.map((role) => [role, prepared.enrolmentTokenFiles[role]] as const),
    ...further.map(
      (vault) =>
        [`${vault.prepared.name}:coordinator`, vault.prepared.enrolmentTokenFiles.coordinator] as const,
    ),
  ];
  return {
    label: partLabel(processName),
    stopPatienceMs,
    restartDelayMsMax,
    consequence: "Clients of the vault do without its nodes meanwhile.",
    logFile: logFilePath(dataDirectory, processName),
    isDone: ({ code }) => code === DEPARTED_EXIT_CODE,
    start: (onSpawn) =>
      startNode(
        {
          label: `The process "${processName}" of the vault`,
          entry: join(projectDirectory, agentEntry),
          args: [
            ...files.flatMap((each) => ["--config", vaultFilePath(dataDirectory, each)]),
            ...nodeIds.flatMap((id) => ["--node", id]),
            ...(isFormatted(folder) ? [] : ["--format"]),
            ...(number === 1 ? ["--parts", partsFilePath(dataDirectory)] : []),
            ...tokens.flatMap(([of, file]) =>
              file === undefined ? [] : ["--enrolment-token-file", `${of}=${file}`],
            ),
          ],
          nodeFlags,
          env: { ...env, ...launchEnv },
          workingDirectory: projectDirectory,
          logFile: prepareLogFile(dataDirectory, processName),
        },
        onSpawn,
        Math.max(readyWithinMsMin, (prepared.bytes / slowDiskBytesPerSecond) * 1000),
      ),
  };
}

/** "Pods 1" of `pods-1`. */
function partLabel(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;
}
