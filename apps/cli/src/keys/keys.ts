/** `vault keys`: creates the missing keys of a vault's nodes. */
import { loadVaultFile, provideKeys } from "@stashlight/node-runtime/config";
import type { KeysCommand } from "./arguments.ts";

/** Returns the exit code. */
export function makeKeys({ config }: KeysCommand, say: (line: string) => void): number {
  const before = loadVaultFile(config);
  const after = provideKeys(config, { areAllHere: false });
  const given = after.nodes.filter((_, at) => before.nodes[at]?.publicKey === undefined).map(({ id }) => id);
  if (given.length > 0) say(`Keys were created for ${given.join(", ")}; restart these nodes.`);
  if (before.admin === undefined) say(`The token of the admin pages is in ${after.admin?.tokenFile}.`);
  if (given.length === 0 && before.admin !== undefined) say("No key is missing.");
  return 0;
}
