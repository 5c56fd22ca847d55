import { fileURLToPath } from "node:url";
import { entryOf } from "@stashlight/contracts/process/entry";
import type { Program } from "@stashlight/vault-setup/join";

/** How an agent is started from here, the source tree or a bundle; units and `vault run` start it so. */
export function agentProgram(): Program {
  const source = new URL("../../../../agents/node/src/main.ts", import.meta.url);
  const { file, args } = entryOf("agent", source);
  return { executable: process.execPath, args: [fileURLToPath(file), ...args] };
}

/** How a person starts the command line again, in words. */
export const commandLine = "npm run stashlight --";
