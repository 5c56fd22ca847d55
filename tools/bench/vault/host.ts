/**
 * Runs a vault of another checkout of the product: `host.ts ROOT FOLDER OPTIONS`. Its parent sends `cost` and `stop`.
 * The vault is started by that checkout's own code, because its file, flags and number of processes are its own.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BenchVault, BenchVaultOptions } from "./running.ts";
import { writeTarget } from "./target.ts";

export type HostMessage =
  | { readonly type: "ready"; readonly target: string }
  | { readonly type: "cost"; readonly cost: ReturnType<BenchVault["cost"]> };

function tell(message: HostMessage): void {
  process.send?.(message);
}

const [root = "", folder = "", options = "{}"] = process.argv.slice(2);
const running = pathToFileURL(join(root, "tools/bench/vault/running.ts")).href;
const { BenchVault: Vault } = (await import(running)) as { BenchVault: typeof BenchVault };
const vault = await Vault.create(folder, JSON.parse(options) as BenchVaultOptions);
process.on("message", (request) => {
  if (request === "cost") tell({ type: "cost", cost: vault.cost() });
  else void vault.remove().then(() => process.exit(0));
});
// A parent that died leaves no vault behind.
process.on("disconnect", () => void vault.remove().then(() => process.exit(1)));
tell({ type: "ready", target: writeTarget(folder, vault.file) });
