/** The coordinator agent: an S3 endpoint in front of a vault. `main.ts --config vault.json --node coordinator-1` */
import { runAgent } from "@stashlight/node-runtime";
import { startCoordinatorNode } from "./node.ts";

await runAgent({
  role: "coordinator",
  start: (node, { file, logger, enrolmentTokenFile }) =>
    startCoordinatorNode({ file, node, logger, enrolmentTokenFile }),
});
