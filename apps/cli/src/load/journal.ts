/** Writes a ledger's entries to a file, one JSON line each, so that the acknowledgements outlive the loader. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../usage-error.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";

const name = { bucket: z.string(), key: z.string() };

const entrySchema: z.ZodType<LedgerEntry> = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["putting", "put"]), ...name, etag: z.string() }),
  z.object({ type: z.enum(["deleting", "deleted"]), ...name }),
]);

export interface Journal {
  note(entry: LedgerEntry): void;
  close(): void;
}

/** Appends to an existing journal. Throws a UsageError. */
export function openJournal(path: string): Journal {
  let descriptor: number;
  try {
    descriptor = openSync(path, "a", 0o600);
  } catch (error) {
    throw new UsageError(`The journal ${path} cannot be written (${errorCode(error)}).`);
  }
  return {
    note: (entry) => void writeSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(descriptor),
  };
}

/** Throws a UsageError. A truncated last line counts as not written. */
export function readJournal(path: string): Ledger {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`The journal ${path} cannot be read (${errorCode(error)}).`);
  }
  const ledger = new Ledger();
  const lines = text.split("\n");
  lines.pop();
  for (const [at, line] of lines.entries()) {
    const parsed = entrySchema.safeParse(tryParse(line));
    if (!parsed.success)
      throw new UsageError(`Line ${at + 1} of ${path} is not an entry of a vault load journal.`);
    ledger.note(parsed.data);
  }
  return ledger;
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
