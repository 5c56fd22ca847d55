/** Restore to estimate: "100x100MB" one after another, or "100x100MB@16" over 16 connections. */
import { RESTORE_CONNECTIONS_MAX, RESTORE_OBJECTS_MAX } from "@stashlight/contracts/benchmark";
import { parseSize } from "./units.ts";
import { UsageError } from "./usage-error.ts";

export interface Restore {
  readonly objectCount: number;
  readonly objectBytes: number;
  readonly connectionCount: number;
}

/** Throws a UsageError. */
export function parseRestore(text: string): Restore {
  const [, count = "", size = "", connections = "1"] = /^(\d{1,10})x([^@]+)(?:@(\d{1,2}))?$/.exec(text) ?? [];
  const objectBytes = parseSize(size);
  const objectCount = Number(count);
  const connectionCount = Number(connections);
  const isInside =
    objectCount >= 1 &&
    objectCount <= RESTORE_OBJECTS_MAX &&
    connectionCount >= 1 &&
    connectionCount <= RESTORE_CONNECTIONS_MAX;
  if (objectBytes === null || objectBytes === 0 || count === "" || !isInside) {
    throw new UsageError(
      `--restore must be a number of objects, their size and optionally connections (up to ${RESTORE_CONNECTIONS_MAX}), such as 100x100MB or 100x100MB@16; got "${text}".`,
    );
  }
  return { objectCount, objectBytes, connectionCount };
}
