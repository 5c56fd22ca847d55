/** Numbers all nodes consecutively: the coordinator, the pods, the stash devices. */
import type { Address } from "@stashlight/write-path";
import { POD_COUNT } from "./scenario.ts";

export function toNodeIndex(address: Address): number {
  const id = Number(address.slice(1));
  if (address.startsWith("c")) return 0;
  return 1 + id + (address.startsWith("p") ? 0 : POD_COUNT);
}

export function nodeAddress(nodeIndex: number): Address {
  if (nodeIndex === 0) return "c0";
  return nodeIndex <= POD_COUNT ? `p${nodeIndex - 1}` : `s${nodeIndex - 1 - POD_COUNT}`;
}
