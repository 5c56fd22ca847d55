/** What would be restored: "100x100MB" one after the other, or "100x100MB@16" over 16 connections. */
import { parseSize } from "./units.ts";
import { UsageError } from "./usage-error.ts";

export interface Restore {
  readonly objectCount: number;
  readonly objectBytes: number;
  readonly connectionCount: number;
}

const OBJECTS_MAX = 1e9;
const CONNECTIONS_MAX = 64;

/** Throws a UsageError. */
export function parseRestore(text: string): Restore {
  const [, count = "", size = "", connections = "1"] = /^(\d{1,10})x([^@]+)(?:@(\d{1,2}))?$/.exec(text) ?? [];
  const objectBytes = parseSize(size);
  const objectCount = Number(count);
  const connectionCount = Number(connections);
  const isInside =
    objectCount >= 1 &&
    objectCount <= OBJECTS_MAX &&
    connectionCount >= 1 &&
    connectionCount <= CONNECTIONS_MAX;
  if (objectBytes === null || objectBytes === 0 || count === "" || !isInside) {
    throw new UsageError(
      `--restore must be a number of objects, their size and perhaps connections (up to ${CONNECTIONS_MAX}), such as 100x100MB or 100x100MB@16, and "${text}" is not.`,
    );
  }
  return { objectCount, objectBytes, connectionCount };
}
