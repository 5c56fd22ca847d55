/**
 * The agent: one or several nodes of a vault, of any roles, as one process. `main.ts --config vault.json --node pod-1`.
 * It loads the program of a role only if one of its nodes has it.
 */
import { runAgent } from "@stashlight/node-runtime";

void runAgent({
  pod: async (node, context) => (await import("./pod.ts")).startPodNode(node, context),
  stash: async (node, context) => (await import("./stash.ts")).startStashNode(node, context),
  coordinator: async (node, context) =>
    (await import("@stashlight/coordinator")).startCoordinatorNode(node, context),
});
