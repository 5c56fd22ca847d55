/** Recognises failures of the database by the shapes that Prisma and its driver give them. */
import { StashlightError } from "@stashlight/contracts/errors";

const codes = new Set([
  // Prisma: not reachable, timed out, closed, no free connection.
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2037",
  // Error codes of the socket.
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  // Postgres: a statement or an idle transaction that took longer than its connection's purpose allows.
  "57014",
  "25P03",
  // Postgres: ended by an administrator, crashed, starting or stopping, too many connections.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  // Postgres, or packages/db on its behalf: the connection was not opened, or was lost.
  "08001",
  "08006",
]);
const kinds = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);
/**
 * Prisma's only code for a transaction that was not begun in time, ran too long, or was used after its end. Only the
 * first means that the database did not answer, and only the message distinguishes them: all but the second lack
 * `meta`.
 */
const transactionCode = "P2028";
const notBegun = /Unable to start a transaction in the given time/;
const depthMax = 6;

/** Postgres and the system, for a disk or quota without space. */
const fullCodes: ReadonlySet<string> = new Set(["53100", "ENOSPC", "EDQUOT"]);

/** True if the database could not be reached, false if it refused the request. */
export const isDatabaseUnavailable = (thrown: unknown): boolean =>
  isInCauses(thrown, (error) => {
    if (hasCode(error, codes)) return true;
    const kind = memberValue(error, "kind");
    if (typeof kind === "string" && kinds.has(kind)) return true;
    return (
      memberValue(error, "code") === transactionCode && notBegun.test(String(memberValue(error, "message")))
    );
  });

/** True if the disk of the database, or of this process's own files, has no space. */
export const isStorageFull = (thrown: unknown): boolean =>
  isInCauses(thrown, (error) => hasCode(error, fullCodes));

/** Returns the sentence for a full disk, depending on which one is full. */
export function storageFullError(cause: unknown): StashlightError {
  const isDatabase = isInCauses(cause, (error) => hasCode(error, new Set(["53100"])));
  const disk = isDatabase ? "The disk of the database" : "A disk of the machine that runs Stashlight";
  const sentence = `${disk} is full, so nothing can be stored; free space on it or enlarge it.`;
  return new StashlightError("storage_full", sentence, { cause, retryAfterSeconds: FULL_RETRY_SECONDS });
}

/** Retry interval, because freeing space takes an operator some time. */
const FULL_RETRY_SECONDS = 30;

function isInCauses(thrown: unknown, test: (error: unknown) => boolean, depth = 0): boolean {
  if (depth > depthMax) return false;
  if (test(thrown)) return true;
  const meta = memberValue(thrown, "meta");
  return [memberValue(thrown, "cause"), memberValue(meta, "driverAdapterError")].some((inner) =>
    isInCauses(inner, test, depth + 1),
  );
}

const hasCode = (error: unknown, known: ReadonlySet<string>): boolean =>
  ["code", "errorCode", "originalCode"].some((name) => {
    const given = memberValue(error, name);
    return typeof given === "string" && known.has(given);
  });

function memberValue(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
