import { readFile } from "node:fs/promises";
import { withThrowAwayDatabase } from "./throw-away.ts";
import { migrateDatabase } from "../migrate/index.ts";
import { diffDatabaseToDatamodel } from "../migrate/schema-engine.ts";
import { datamodelPath } from "../migrate/migrations.ts";
(globalThis as any).PRISMA_WASM_PANIC_REGISTRY = { set_message: (m: string) => console.log("PANIC", m) };
const t = performance.now();
await withThrowAwayDatabase(async (u) => {
  console.log("open", performance.now() - t);
  await migrateDatabase({ ownerUrl: u });
  console.log("migrated", performance.now() - t);
  console.log("DIFF:", await diffDatabaseToDatamodel(u, await readFile(datamodelPath, "utf8")));
  console.log("diffed", performance.now() - t);
});
console.log("closed", performance.now() - t);
