/**
 * Runs a vault of the checkout that holds this file: `host.ts FOLDER OPTIONS`. Its parent sends `cost` and `stop`. The
 * benchmark copies this file into the checkout of an older commit, because only that checkout's own code can start its
 * vault: the vault's file, flags and number of processes are its own.
 */
import { BenchVault, type BenchVaultOptions } from "./running.ts";
import { writeTarget } from "./target.ts";

export type HostMessage =
  | { readonly type: "ready"; readonly target: string }
  | { readonly type: "cost"; readonly cost: ReturnType<BenchVault["cost"]> };

function send(message: HostMessage): void {
  process.send?.(message);
}

const [folder = "", options = "{}"] = process.argv.slice(2);
const vault = await BenchVault.create(folder, JSON.parse(options) as BenchVaultOptions);
process.on("message", (request) => {
  if (request === "cost") send({ type: "cost", cost: vault.cost() });
  else void vault.remove().then(() => process.exit(0));
});
// Stops the vault if the parent died.
process.on("disconnect", () => void vault.remove().then(() => process.exit(1)));
send({ type: "ready", target: writeTarget(folder, vault.file) });
