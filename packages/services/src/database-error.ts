/** Tells failures of the connection to the database from all others, by the shapes Prisma and its driver give them. */

const codes = new Set([
  // Prisma: not reachable, timed out, closed, no free connection.
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2037",
  // The socket.
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EPIPE",
  // Postgres: ended by an administrator, crashed, starting or stopping, too many connections.
  "57P01",
  "57P02",
  "57P03",
  "53300",
]);
const kinds = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);
/** Failures of node-postgres and its pool that carry no code. */
const pgMessages = new Set([
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
]);
const transactionCode = "P2028";
const transactionNotStarted = "Unable to start a transaction";
const depthMax = 6;

interface Shape {
  code?: unknown;
  errorCode?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown } | null;
}

/** Whether the database could not be reached, rather than refused what it was asked. */
export function isDatabaseUnavailable(thrown: unknown, depth = 0): boolean {
  if (typeof thrown !== "object" || thrown === null || depth > depthMax) return false;
  const { code, errorCode, originalCode, kind, message, cause, meta } = thrown as Shape;
  if ([code, errorCode, originalCode].some((each) => typeof each === "string" && codes.has(each)))
    return true;
  if (typeof kind === "string" && kinds.has(kind)) return true;
  if (typeof message === "string") {
    if (code === transactionCode && message.includes(transactionNotStarted)) return true;
    if (pgMessages.has(message)) return true;
  }
  return [cause, meta?.driverAdapterError].some((inner) => isDatabaseUnavailable(inner, depth + 1));
}
