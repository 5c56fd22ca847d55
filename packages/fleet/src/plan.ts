/** Members of a fleet: whole vaults of one coordinator, seven stash nodes of three SSDs and twenty pods of one HDD. */
import { StashlightError } from "@stashlight/contracts/errors";

export type FleetRole = "pod" | "stash" | "coordinator";

export interface FleetNode {
  /** Index in the whole fleet, from 0. */
  readonly index: number;
  readonly name: string;
  readonly role: FleetRole;
  readonly vault: string;
  readonly vaultIndex: number;
  /** Index among the vault's nodes of its role, from 0. */
  readonly place: number;
}

export const NODE_COUNT_MAX = 5000;

export const POD_COUNT = 20;
export const STASH_COUNT = 7;
export const DEVICES_A_STASH = 3;

const ROLES_OF_VAULT: readonly FleetRole[] = [
  "coordinator",
  ...new Array<FleetRole>(STASH_COUNT).fill("stash"),
  ...new Array<FleetRole>(POD_COUNT).fill("pod"),
];

/**
 * Plans the nodes of a fleet. A larger fleet begins with the nodes of a smaller one; only the last vault may lack pods
 * or stash nodes.
 */
export function planFleet(nodeCount: number): FleetNode[] {
  if (!(Number.isInteger(nodeCount) && nodeCount >= 1 && nodeCount <= NODE_COUNT_MAX)) {
    throw new StashlightError(
      "invalid_input",
      `A simulated fleet has from 1 to ${NODE_COUNT_MAX} nodes, not ${nodeCount}.`,
    );
  }
  return Array.from({ length: nodeCount }, (_, index) => {
    const vaultIndex = Math.floor(index / ROLES_OF_VAULT.length);
    const inVault = index % ROLES_OF_VAULT.length;
    const role = ROLES_OF_VAULT[inVault] as FleetRole;
    const place = inVault - ROLES_OF_VAULT.indexOf(role);
    const suffix = role === "coordinator" ? role : `${role}-${place + 1}`;
    const vault = `simulated-${vaultIndex + 1}`;
    return { index, name: `sim-${vaultIndex + 1}-${suffix}`, role, vault, vaultIndex, place };
  });
}
