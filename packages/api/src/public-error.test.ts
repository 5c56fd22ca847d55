import { StashlightError } from "@stashlight/contracts/errors";
import { expect, test } from "vitest";
import { knownError, publicError } from "./public-error.ts";

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields);
/** An error of the driver adapter as Prisma passes it on: for raw queries and some Postgres errors, only in `meta`. */
const prisma = (code: string, cause: object | null, message = "Invalid `prisma.x()` invocation") =>
  withFields(message, {
    name: "PrismaClientKnownRequestError",
    code,
    clientVersion: "7.0.0",
    meta:
      cause === null ? {} : { driverAdapterError: withFields("x", { name: "DriverAdapterError", cause }) },
  });
const postgres = (code: string) => ({ originalCode: code, kind: "postgres", code, severity: "FATAL" });
const notReachable = { kind: "DatabaseNotReachable", host: "127.0.0.1", port: 1 };
const tooMany = { originalCode: "53300", kind: "TooManyConnections", cause: "too many clients already" };
const lostConnection = { code: "08006" };
/** Prisma mentions the time limit of a transaction only if it was exceeded. */
const expiredTransaction = withFields("A query cannot be executed on an expired transaction.", {
  name: "PrismaClientKnownRequestError",
  code: "P2028",
  clientVersion: "7.0.0",
  meta: { operation: "query", timeout: 5000, timeTaken: 6000 },
});
const notStarted = "Transaction API error: Unable to start a transaction in the given time.";
const usedAfterItsEnd =
  "Transaction API error: Transaction already closed: A query cannot be executed on a committed transaction.";

test.each([
  ["P1001", prisma("P1001", notReachable)],
  ["P1001 of a raw query", prisma("P2010", notReachable)],
  ["P1002", prisma("P1002", null)],
  ["P1008", prisma("P1008", { kind: "SocketTimeout" })],
  ["P1017", prisma("P1017", { kind: "ConnectionClosed" })],
  ["P2024", prisma("P2024", null)],
  ["P2028 at the start", prisma("P2028", null, notStarted)],
  ["P2037", prisma("P2037", tooMany)],
  ["57014, a statement over its limit", prisma("P2010", postgres("57014"))],
  ["25P03, a transaction that was idle for too long", prisma("P2010", postgres("25P03"))],
  ["57P01", prisma("P2039", postgres("57P01"))],
  ["57P03 of a raw query", prisma("P2010", postgres("57P03"))],
  ["53300 of a raw query", prisma("P2010", tooMany)],
  ["53300 of pg itself", withFields("too many clients", { code: "53300", severity: "FATAL" })],
  ["an initialization error", withFields("x", { errorCode: "P1001" })],
  ["ECONNREFUSED", withFields("connect", { code: "ECONNREFUSED", syscall: "connect", errno: -111 })],
  ["ECONNREFUSED at two addresses", Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })],
  ["ECONNRESET", withFields("read", { code: "ECONNRESET" })],
  // The texts are those of the pool in packages/db.
  ["a pool without a free connection", withFields("timeout exceeded when trying to connect", lostConnection)],
  ["a connection that broke", withFields("Connection terminated unexpectedly", lostConnection)],
  ["a cause", new Error("Something", { cause: prisma("P1001", notReachable) })],
])("%s is recognised as an unreachable database", (_, thrown) => {
  const error = publicError(thrown);
  expect(error).toMatchObject({ code: "unavailable", status: 503, cause: thrown });
  expect(error.message).toBe("The database does not answer; try again in a moment.");
});

const loop = new Error("loop");
loop.cause = loop;

test.each([
  ["a unique violation", prisma("P2002", { originalCode: "23505", kind: "UniqueConstraintViolation" })],
  ["a missing right", prisma("P2010", postgres("42501"))],
  ["a transaction that took too long", expiredTransaction],
  ["a transaction that was used after its end", prisma("P2028", null, usedAfterItsEnd)],
  ["a wrong password", prisma("P1000", { originalCode: "28P01", kind: "AuthenticationFailed" })],
  ["a missing file", withFields("no such file", { code: "ENOENT" })],
  ["text", "ECONNREFUSED"],
  ["nothing", null],
  ["an error that causes itself", loop],
])("%s is an internal failure", (_, thrown) => {
  expect(publicError(thrown)).toMatchObject({ code: "internal", status: 500 });
});

test("a StashlightError passes unchanged, whatever its cause", () => {
  const error = new StashlightError("conflict", "A sentence.", { cause: prisma("P1001", notReachable) });
  expect(knownError(error)).toBe(error);
  expect(publicError(error)).toBe(error);
});
