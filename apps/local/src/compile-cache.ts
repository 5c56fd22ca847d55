/**
 * Fills Node's compile cache in a short-lived process. Node strips types with a compiler that stays in memory (30 MB
 * per process), and stores the results for later processes with NODE_COMPILE_CACHE.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";

/** Loads the programs with all their imports. Ignores errors, because without the cache programs only start slower. */
export async function fillCompileCache(
  entries: readonly string[],
  onSpawn: (child: ChildProcess) => void,
): Promise<void> {
  if (process.env.NODE_COMPILE_CACHE === undefined) return;
  // All imports are loaded before the first program runs; that program then ends the process.
  const imports = ["data:text/javascript,process.exit()", ...entries.map((path) => pathToFileURL(path).href)];
  const program = imports.map((name) => `import ${JSON.stringify(name)};`).join("");
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    detached: true,
    stdio: "ignore",
  });
  onSpawn(child);
  await once(child, "exit").catch(() => {});
}
