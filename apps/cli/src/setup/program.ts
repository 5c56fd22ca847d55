import { fileURLToPath } from "node:url";
import type { Program } from "@stashlight/vault-setup/join";

/** How an agent is started from here; units and `vault run` start it so. */
export function agentProgram(): Program {
  return {
    executable: process.execPath,
    args: [fileURLToPath(new URL("../../../../agents/node/src/main.ts", import.meta.url))],
  };
}

/** How a person starts the command line again, in words. */
export const commandLine = "npm run stashlight --";
