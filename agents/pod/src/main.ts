/** The pod agent: HDD drives, each with one shard of every object. `main.ts --config vault.json --node pod-1` */
import { runAgent, startDriveNode } from "@stashlight/node-runtime";
import { podAddress } from "@stashlight/write-path";
import { podMachine } from "./machine.ts";

await runAgent({
  role: "pod",
  start: (node, context) =>
    startDriveNode({
      ...context,
      node,
      policy: "extents",
      addressOf: ({ pod }) => podAddress(pod),
      machineOf: ({ pod }, config, bootId) => podMachine(config, pod, bootId),
    }),
});
