/**
 * Reads what lifecycle rules deleted from the coordinator's audit log, for the ingest. The position in the log is not
 * kept across restarts: the end of the log is sent again, and the ingest drops lines that it already has.
 */
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  deletionsPerReportMax,
  type LifecycleDeletion,
  lifecycleDeletionSchema,
} from "@stashlight/contracts/bucket";

/** A page of a pass writes about 150 bytes per rule, so this covers a few hours of the busiest pass. */
const READ_AT_START_BYTES = 262_144;
const READ_AT_ONCE_BYTES = 65_536;

export interface DeletionPage {
  readonly deletions: readonly LifecycleDeletion[];
  /** Start of the next page. */
  readonly nextOffset: number;
}

export class DeletionLines {
  readonly #path: string;
  #offset: number | null = null;

  constructor(stateFolder: string) {
    this.#path = join(stateFolder, "audit.log");
  }

  /** Returns the next lines, as many as one report takes. Rejects if the log cannot be read. */
  async read(): Promise<DeletionPage> {
    const sizeBytes = await stat(this.#path).then(
      ({ size }) => size,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return 0;
        throw error;
      },
    );
    this.#offset ??= Math.max(0, sizeBytes - READ_AT_START_BYTES);
    if (sizeBytes <= this.#offset) return { deletions: [], nextOffset: this.#offset };
    return parseLines(await this.#readFrom(this.#offset), this.#offset);
  }

  /** Called when the ingest has accepted the page. */
  taken({ nextOffset }: DeletionPage): void {
    this.#offset = nextOffset;
  }

  async #readFrom(offset: number): Promise<Buffer> {
    const file = await open(this.#path, "r");
    try {
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(READ_AT_ONCE_BYTES),
        position: offset,
      });
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}

/** Parses complete lines only; a line longer than the read buffer is skipped. */
function parseLines(bytes: Buffer, offset: number): DeletionPage {
  const deletions: LifecycleDeletion[] = [];
  let start = 0;
  while (deletions.length < deletionsPerReportMax) {
    const end = bytes.indexOf("\n", start);
    if (end === -1) break;
    const deletion = parseLine(bytes.subarray(start, end).toString("utf8"));
    if (deletion !== null) deletions.push(deletion);
    start = end + 1;
  }
  if (start === 0 && bytes.length === READ_AT_ONCE_BYTES) start = bytes.length;
  return { deletions, nextOffset: offset + start };
}

const ACTIONS: Readonly<Record<string, LifecycleDeletion["action"]>> = {
  "lifecycle.expire": "expire",
  "lifecycle.abort": "abort",
};

/** Returns null for a line about other events, and for the rest of a line whose beginning was not read. */
function parseLine(text: string): LifecycleDeletion | null {
  let line: { readonly action?: unknown; readonly time?: unknown };
  try {
    line = JSON.parse(text);
  } catch {
    return null;
  }
  const action = ACTIONS[String(line.action)];
  return lifecycleDeletionSchema.safeParse({ ...line, at: line.time, action }).data ?? null;
}
