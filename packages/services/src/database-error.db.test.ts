/** Provokes real failures, because Prisma and its driver may change how they represent them. */
import { createServer, type Socket } from "node:net";
import { type Database, openDatabase } from "@stashlight/db";
import { inTransaction, openMetricClient } from "@stashlight/db/metrics";
import { createTestDatabase, type TestDatabase } from "@stashlight/db/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { isDatabaseUnavailable, isStorageFull } from "./database-error.ts";
import { asUnavailable } from "./database-unavailable.ts";

let database: TestDatabase;
const opened: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(() => database.drop());

function open(url = database.runtimeUrl, connectionsMax = 1) {
  const options = { url, purpose: "tool", applicationName: "test-lost", connectionsMax } as const;
  const [db, metrics] = [openDatabase(options), openMetricClient(options)];
  opened.push({ close: () => Promise.all([db.$disconnect(), metrics.end()]) });
  return { db, metrics };
}

/** Returns the error that the promise rejects with. */
async function catchFailure(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => expect.fail("It did not fail."),
    (error: unknown) => error,
  );
}

const pidSql = "SELECT pg_backend_pid() AS pid";
async function endSession(pid: number | undefined): Promise<void> {
  const { metrics } = open();
  await inTransaction(metrics, async (connection) => {
    // Only the login may end its sessions, not the role as which they act.
    await connection.query("SET LOCAL ROLE NONE");
    await connection.query("SELECT pg_terminate_backend($1)", [pid]);
  });
}

test("a database whose server is not running or never answers is unavailable", {
  timeout: 30_000,
}, async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  for (const place of ["127.0.0.1:1", `127.0.0.1:${port}`]) {
    const { db, metrics } = open(`postgres://nobody@${place}/none`);
    const failures = await Promise.all([
      catchFailure(db.$queryRaw`SELECT 1`),
      catchFailure(db.$transaction((tx) => tx.$queryRaw`SELECT 1`)),
      catchFailure(metrics.query("SELECT 1")),
      catchFailure(inTransaction(metrics, (connection) => connection.query("SELECT 1"))),
    ]);
    expect(failures.map((each) => isDatabaseUnavailable(each))).toEqual([true, true, true, true]);
    expect(failures.slice(2).map(asUnavailable)).toMatchObject([
      { code: "unavailable" },
      { code: "unavailable" },
    ]);
  }
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test("a session that ends between two statements is unavailable to later ones", async () => {
  const { db, metrics } = open();
  const ofPrisma = await catchFailure(
    db.$transaction(async (tx) => {
      const [session] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      await endSession(session?.pid);
      await catchFailure(tx.$queryRaw`SELECT 1`);
      await tx.$queryRaw`SELECT 1`;
    }),
  );
  expect(isDatabaseUnavailable(ofPrisma)).toBe(true);
  const seen: unknown[] = [];
  const ofMetrics = await catchFailure(
    inTransaction(metrics, async (connection) => {
      const { rows } = await connection.query<{ pid: number }>(pidSql);
      await endSession(rows[0]?.pid);
      seen.push(await catchFailure(connection.query("SELECT 1")));
      await connection.query("SELECT 1");
    }),
  );
  expect([...seen, ofMetrics].map((each) => isDatabaseUnavailable(each))).toEqual([true, true]);
  expect(asUnavailable(ofMetrics)).toMatchObject({ code: "unavailable" });
  expect((await metrics.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("a session that ends during a statement is unavailable", async () => {
  const { metrics } = open(database.runtimeUrl, 2);
  const connection = await metrics.connect();
  const { rows } = await connection.query<{ pid: number }>(pidSql);
  const sleeping = catchFailure(connection.query("SELECT pg_sleep(60)"));
  await endSession(rows[0]?.pid);
  const failure = await sleeping;
  connection.release(true);
  expect(isDatabaseUnavailable(failure)).toBe(true);
});

test("a pool that stays busy is unavailable", { timeout: 30_000 }, async () => {
  const { db, metrics } = open();
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const busy = Promise.all([
    db.$transaction(
      () => {
        held.resolve();
        return released.promise;
      },
      { timeout: 25_000 },
    ),
    inTransaction(metrics, () => released.promise),
  ]);
  await held.promise;
  const failures = await Promise.all([
    catchFailure(db.$transaction((tx) => tx.$queryRaw`SELECT 1`)),
    catchFailure(db.$queryRaw`SELECT 1`),
    catchFailure(metrics.query("SELECT 1")),
  ]);
  expect(failures[0]).toMatchObject({ code: "P2028" });
  released.resolve();
  await busy;
  expect(failures.map((each) => isDatabaseUnavailable(each))).toEqual([true, true, true]);
  expect(asUnavailable(failures[2])).toMatchObject({ code: "unavailable" });
});

/** A bug of ours, for which Prisma uses the code of a transaction that could not begin. */
async function usedAfterItsEnd(db: Database): Promise<unknown> {
  const ended = await db.$transaction(async (tx) => tx);
  return ended.$queryRaw`SELECT 1`;
}

test("refused statements, timeouts and bugs of ours do not count as unavailable", async () => {
  const { db, metrics } = open();
  const failures = [
    await catchFailure(db.$queryRaw`SELECT no_such_column`),
    await catchFailure(db.schedule.findUniqueOrThrow({ where: { id: "none" } })),
    await catchFailure(metrics.query("SELECT no_such_column")),
    await catchFailure(
      db.$transaction(
        async (tx) => {
          await tx.$queryRaw`SELECT pg_sleep(0.2)::text`;
          await tx.$queryRaw`SELECT 1`;
        },
        { timeout: 50 },
      ),
    ),
    await catchFailure(usedAfterItsEnd(db)),
    new Error("Connection terminated unexpectedly"),
  ];
  expect(failures.slice(3, 5)).toMatchObject([{ code: "P2028" }, { code: "P2028" }]);
  expect(failures.map((each) => isDatabaseUnavailable(each))).toEqual(failures.map(() => false));
  expect(asUnavailable(failures[2])).toBe(failures[2]);
});

test("a full disk in a transaction of the metric store is recognised, and the sender should retry", async () => {
  const { metrics } = open();
  const raise = "DO $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$";
  const error = await catchFailure(inTransaction(metrics, (connection) => connection.query(raise)));
  expect(isStorageFull(error)).toBe(true);
  expect(isDatabaseUnavailable(error)).toBe(false);
  expect(asUnavailable(error)).toMatchObject({ code: "storage_full", status: 503, retryAfterSeconds: 30 });
});
