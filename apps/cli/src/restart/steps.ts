/** Orders the processes of a vault for a restart one after the other, and judges which restart would stop uploads. Pure. */
import {
  sparedPodCount,
  type VaultFile,
  VaultFileError,
  type VaultNode,
} from "@stashlight/node-runtime/config";
import type { NodeProcess } from "@stashlight/node-runtime/durability";
import { counted } from "../units.ts";

export interface RestartStep {
  readonly machine: string;
  readonly instance: string;
  readonly nodes: readonly VaultNode[];
  /** True if a supervisor restarts the process after it ends. */
  readonly isSupervised: boolean;
  /** Reason why no upload is accepted while the process restarts; null if uploads continue. */
  readonly stopsUploads: string | null;
}

/** Order of upgrades: a coordinator understands the reports of later pods and stash servers. */
const ROLE_RANK = { coordinator: 0, pod: 1, stash: 2 } as const;

/** A machine's processes stay together. Those whose restart stops uploads are last. */
export function orderSteps(file: VaultFile, processes: readonly NodeProcess[]): RestartStep[] {
  const steps = processes.map(({ instance, nodeIds, isSupervised }): RestartStep => {
    const nodes = file.nodes.filter(({ id }) => nodeIds.includes(id));
    const [first] = nodes;
    if (first === undefined)
      throw new VaultFileError(`No node of ${nodeIds.join(", ")} is in the vault's file.`);
    return {
      machine: machineName(first),
      instance,
      nodes,
      isSupervised,
      stopsUploads: describeStop(file, nodes),
    };
  });
  const machines = [...Map.groupBy(steps, ({ machine }) => machine).values()].map((ofMachine) =>
    ofMachine.toSorted((a, b) => roleRank(a) - roleRank(b)),
  );
  const ordered = machines.toSorted((a, b) => machineRank(a) - machineRank(b)).flat();
  return [
    ...ordered.filter(({ stopsUploads }) => stopsUploads === null),
    ...ordered.filter(({ stopsUploads }) => stopsUploads !== null),
  ];
}

/** Nodes of a vault without machine names are on the machine with their address. */
export const machineName = ({ machine, host }: VaultNode): string => machine ?? host;

const roleRank = ({ nodes }: RestartStep): number => Math.min(...nodes.map(({ role }) => ROLE_RANK[role]));
const machineRank = (steps: readonly RestartStep[]): number => Math.min(...steps.map(roleRank));

function describeStop(file: VaultFile, nodes: readonly VaultNode[]): string | null {
  const spared = sparedPodCount(file);
  const podCount = nodes.reduce((sum, node) => sum + (node.role === "pod" ? node.drives.length : 0), 0);
  if (podCount > spared) return `it has ${counted(podCount, "pod")}, and an upload can spare ${spared}`;
  const others = file.nodes.filter(
    ({ role, id }) => role === "coordinator" && !nodes.some((node) => node.id === id),
  );
  const hasCoordinator = nodes.some(({ role }) => role === "coordinator");
  return hasCoordinator && others.length === 0 ? "it runs the only coordinator" : null;
}
