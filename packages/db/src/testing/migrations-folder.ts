import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder of migrations for one test, from scripts by name. `write` adds or edits one. */
export function makeMigrationsFolder(scripts: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), "stashlight-migrations-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const write = (name: string, sql: string, file = "migration.sql") => {
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, file), sql);
  };
  for (const [name, sql] of Object.entries(scripts)) write(name, sql);
  return { directory, write };
}
