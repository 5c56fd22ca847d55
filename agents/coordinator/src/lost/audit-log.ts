/**
 * The coordinator's own audit log, one line of JSON per entry: operators' actions, and deletions by lifecycle rules (a
 * line for each rule and page). It is not rotated, because rotation would risk losing entries.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";

const OWNER_ONLY = 0o600;

export interface AuditLog {
  /** Resolves when the line is durable. */
  append(line: object): Promise<void>;
}

export function openAuditLog(stateFolder: string): AuditLog {
  const path = join(stateFolder, "audit.log");
  return {
    append: async (line) => {
      const file = await open(path, "a", OWNER_ONLY);
      try {
        await file.chmod(OWNER_ONLY);
        await file.appendFile(`${JSON.stringify(line)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
