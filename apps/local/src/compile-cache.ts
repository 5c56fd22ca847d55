/**
 * Node strips our TypeScript as it loads it, with a compiler that then stays in memory (30 MB in each process), and
 * keeps the result for the next process that has NODE_COMPILE_CACHE. Filled by a process that ends, the cache is there
 * before those that stay.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";

/** Loads the programs with all they import. Without the cache they only start slower, so nothing fails here. */
export async function fillCompileCache(
  entries: readonly string[],
  onSpawn: (child: ChildProcess) => void,
): Promise<void> {
  if (process.env.NODE_COMPILE_CACHE === undefined) return;
  // All imports are loaded before the first of them is run, and the first ends the process.
  const imports = ["data:text/javascript,process.exit()", ...entries.map((path) => pathToFileURL(path).href)];
  const program = imports.map((name) => `import ${JSON.stringify(name)};`).join("");
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    detached: true,
    stdio: "ignore",
  });
  onSpawn(child);
  await once(child, "exit").catch(() => {});
}
