/**
 * The coordinator's own audit log: acts of operators that cannot be undone, one line of JSON each. It is only ever
 * appended to, at the speed of people, so it is not rotated: a rotation would be a way to lose it.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";

const OWNER_ONLY = 0o600;

export interface AuditLog {
  /** Resolves when the line is on the drive. */
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
