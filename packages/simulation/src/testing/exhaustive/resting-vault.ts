import { nodeAddress, toNodeIndex } from "./addresses.ts";
import { realMachines } from "./machines.ts";
import { type Node, type NodeEvent, stepNode } from "./node.ts";
import { createNodes } from "./recovery.ts";
import { DEVICE_COUNT, POD_COUNT } from "./scenario.ts";

const START_MS = 1000;

/** An empty vault with settled pods: the initial state of the search. */
export function restingVault(isStashEnabled: boolean): Node[] {
  const kept = Array.from({ length: POD_COUNT + DEVICE_COUNT }, () => ({ shards: [], refusals: [] }));
  const nodes = createNodes(kept, isStashEnabled);
  const queue = nodes.map((_, nodeIndex): { nodeIndex: number; event: NodeEvent } => {
    return { nodeIndex, event: { type: "start", bootId: 1 } };
  });
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { nodeIndex, event } = next;
    const node = nodes[nodeIndex];
    if (!node) throw new RangeError(`There is no node ${nodeIndex}.`);
    node.nowMs = START_MS;
    for (const { to, message } of stepNode(node, event, realMachines).sends) {
      const from = nodeAddress(nodeIndex);
      queue.push({ nodeIndex: toNodeIndex(to), event: { type: "message", from, message } });
    }
  }
  if (nodes.some((node) => node.kind === "pod" && node.machine.lifecycle !== "settled")) {
    throw new Error("An empty vault must settle without a timer.");
  }
  return nodes;
}
