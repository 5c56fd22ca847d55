/**
 * Writes the Prisma client to src/generated. The client needs no engine; naming any executable as the schema engine
 * keeps the generator from downloading one.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const packageDirectory = join(import.meta.dirname, "../..");
const prismaManifest = createRequire(import.meta.url).resolve("prisma/package.json");
const result = spawnSync(process.execPath, [join(dirname(prismaManifest), "build/index.js"), "generate"], {
  cwd: packageDirectory,
  encoding: "utf8",
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  },
});
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}\n${result.stderr}\n`);
  process.exit(1);
}
