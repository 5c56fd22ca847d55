/** The stash agent: SSD drives on which shards land first. `main.ts --config vault.json --node stash-1` */
import { runAgent, startDriveNode } from "@stashlight/node-runtime";
import { stashAddress } from "@stashlight/write-path";
import { stashMachine } from "./machine.ts";

await runAgent({
  role: "stash",
  start: (node, context) =>
    startDriveNode({
      ...context,
      node,
      policy: "ring",
      addressOf: ({ device }) => stashAddress(device),
      machineOf: ({ device }, config) => stashMachine(config, device),
    }),
});
