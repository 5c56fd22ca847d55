/** The processes of a machine's nodes. */
import { availableParallelism } from "node:os";
import {
  type AgentLaunch,
  agentLaunches,
  measureSyncMs,
  nodeIdsByRole,
} from "@stashlight/node-runtime/launch";
import { type JoinedMachine, tokenFilePath, vaultFileOfMachine } from "./machine-folder.ts";
import type { Program } from "./program.ts";

export interface MachineProcess {
  /** For example `pods-1`. */
  readonly name: string;
  readonly nodeIds: readonly string[];
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folders that the process writes to. */
  readonly folders: readonly string[];
}

export async function machineProcesses(machine: JoinedMachine, agent: Program): Promise<MachineProcess[]> {
  const { nodes, folder } = machine;
  const stash = nodes.filter((node) => node.role === "stash");
  const firstStashDrive = stash[0]?.drives[0]?.path;
  const launches = agentLaunches({
    nodeIds: nodeIdsByRole(nodes),
    stashDeviceCount: stash.reduce((count, { drives }) => count + drives.length, 0),
    processorCount: availableParallelism(),
    syncMs: await measureSyncMs(firstStashDrive ?? folder),
  });
  return launches
    .filter(({ nodeIds }) => nodeIds.length > 0)
    .map((launch) => toProcess(launch, machine, agent));
}

function toProcess(
  { name, nodeIds, nodeFlags, env }: AgentLaunch,
  { folder, nodes }: JoinedMachine,
  { executable, args }: Program,
): MachineProcess {
  const own = nodes.filter(({ id }) => nodeIds.includes(id));
  const folders = own.flatMap((node) => [
    node.stateFolder,
    ...(node.role === "coordinator" ? [] : node.drives.map(({ path }) => path)),
  ]);
  const tokenFiles = [...new Set(own.map(({ role }) => role))].map(
    (role) => `${role}=${tokenFilePath(folder, role)}`,
  );
  const command = [
    executable,
    ...nodeFlags,
    ...args,
    "--supervised",
    "--config",
    vaultFileOfMachine(folder),
    ...nodeIds.flatMap((id) => ["--node", id]),
    ...tokenFiles.flatMap((file) => ["--enrolment-token-file", file]),
  ];
  return { name, nodeIds, command, env, folders };
}
