/**
 * Node strips and compiles our TypeScript as it loads it, for half a second of each process that finds no cache, and
 * processes that are killed leave none. Vaults of the tests start agents by the thousand, so the cache is filled first.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { agentsFolder, compileCacheFolder } from "./agent-process.ts";

const ENTRIES = ["node/src/main.ts", "coordinator/src/node.ts", "pod/src/node.ts", "stash/src/node.ts"];

export default function fillCompileCache(): void {
  // All imports are loaded before the first of them is run, and the first ends the process.
  const imports = [
    "data:text/javascript,process.exit()",
    ...ENTRIES.map((entry) => pathToFileURL(join(agentsFolder, entry)).href),
  ];
  const program = imports.map((name) => `import ${JSON.stringify(name)};`).join("");
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCacheFolder },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The agents could not be compiled before the tests:\n${stderr}`);
}
