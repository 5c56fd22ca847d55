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
  // Postgres: a statement or an idle transaction that took longer than its connection's purpose allows.
  "57014",
  "25P03",
  // Postgres: ended by an administrator, crashed, starting or stopping, too many connections.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  // Postgres, or packages/db on its behalf: the connection was not opened, or is lost.
  "08001",
  "08006",
]);
const kinds = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);
/**
 * Prisma's one code for a transaction that was not begun in time, that ran too long, or that was used after its end.
 * Only the first means that the database did not answer, and only its message tells: all but the second lack `meta`.
 */
const transactionCode = "P2028";
const notBegun = /Unable to start a transaction in the given time/;
const depthMax = 6;

/** Whether the database could not be reached, rather than refused what it was asked. */
export function isDatabaseUnavailable(thrown: unknown, depth = 0): boolean {
  if (depth > depthMax) return false;
  const code = fieldOf(thrown, "code");
  const given = [code, fieldOf(thrown, "errorCode"), fieldOf(thrown, "originalCode")];
  if (given.some((each) => typeof each === "string" && codes.has(each))) return true;
  const kind = fieldOf(thrown, "kind");
  if (typeof kind === "string" && kinds.has(kind)) return true;
  const meta = fieldOf(thrown, "meta");
  if (code === transactionCode && notBegun.test(String(fieldOf(thrown, "message")))) return true;
  return [fieldOf(thrown, "cause"), fieldOf(meta, "driverAdapterError")].some((inner) =>
    isDatabaseUnavailable(inner, depth + 1),
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
