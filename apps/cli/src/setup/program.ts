import { fileURLToPath } from "node:url";
import { resolveEntry } from "@stashlight/contracts/process";
import type { Program } from "@stashlight/vault-setup/join";

/** Command that starts an agent from the source tree or a bundle; units and `vault run` use it. */
export function agentProgram(): Program {
  const source = new URL("../../../../agents/node/src/main.ts", import.meta.url);
  const { file, args } = resolveEntry("agent", source);
  return { executable: process.execPath, args: [fileURLToPath(file), ...args] };
}

/** Command that starts the command line again, for messages. */
export const commandLine = "npm run stashlight --";
