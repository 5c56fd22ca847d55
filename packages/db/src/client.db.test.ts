import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { bulkConnection, openDatabase } from "./client.ts";
import { runtimeConnection } from "./connection.ts";
import { inTransaction, openMetricClient, withStatementTimeout } from "./metrics/client.ts";
import { type ConnectionPurpose, migrationConnection, sessionLimits } from "./session-limits.ts";
import { createTestDatabase } from "./testing/index.ts";

const limits = "-c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000";
const fixed = "-c role=stashlight_app -c TimeZone=UTC";

test.each([
  ["postgres://a:b@h/d", "postgres://a:b@h/d", `${limits} ${fixed}`],
  ["postgres://a:b@h/d?sslmode=require", "postgres://a:b@h/d?sslmode=require", `${limits} ${fixed}`],
  ["postgres://a:b@h/d?options=-c%20a%3D1", "postgres://a:b@h/d", `${limits} -c a=1 ${fixed}`],
  [
    "postgres://a@/d?host=%2Frun&options=-c+a=1&x=1",
    "postgres://a@/d?host=%2Frun&x=1",
    `${limits} -c a=1 ${fixed}`,
  ],
  ["postgres://a:b@h/d?options=-c%20a%3D1&options=", "postgres://a:b@h/d", `${limits} ${fixed}`],
])(
  "the options of %s replace our limits, but never the role and the time zone",
  (url, connectionString, options) => {
    expect(runtimeConnection(url, "console")).toEqual({ connectionString, options });
  },
);

test.each(["-c statement_timeout=60000", "-c statement_timeout=60000 -c role=none -c TimeZone=Asia/Tokyo"])(
  "a session with the options %s in its connection string still acts as the runtime role, in UTC",
  async (options) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const url = new URL(database.ownerUrl);
    url.searchParams.set("options", options);
    const db = openDatabase({
      url: url.href,
      purpose: "console",
      applicationName: "test",
      connectionsMax: 1,
    });
    const rows = await db.$queryRaw`SELECT current_user::text AS role, current_setting('TimeZone') AS zone,
      current_setting('statement_timeout') AS timeout`;
    await db.$disconnect();
    expect(rows).toEqual([{ role: "stashlight_app", zone: "UTC", timeout: "1min" }]);
  },
);

const settingsQuery = `SELECT name, setting::int FROM pg_settings
  WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout')`;
const settingsByName = (rows: { name: string; setting: number }[]) =>
  Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
const expected = (purpose: ConnectionPurpose) => ({
  statement_timeout: sessionLimits[purpose].statementTimeoutMs,
  idle_in_transaction_session_timeout: sessionLimits[purpose].idleInTransactionMs,
});

test("every login has the limits of its purpose for statements and idle transactions", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  for (const purpose of ["console", "ingest", "worker", "tool", "bench"] as const) {
    const opening = { url: database.runtimeUrl, purpose, applicationName: "test", connectionsMax: 1 };
    const db = openDatabase(opening);
    const metrics = openMetricClient(opening);
    expect(settingsByName(await db.$queryRawUnsafe(settingsQuery)), purpose).toEqual(expected(purpose));
    expect(settingsByName((await metrics.query(settingsQuery)).rows), purpose).toEqual(expected(purpose));
    await Promise.all([db.$disconnect(), metrics.end()]);
  }
  const owner = new pg.Client(migrationConnection(database.ownerUrl));
  await owner.connect();
  expect(settingsByName((await owner.query(settingsQuery)).rows)).toEqual(expected("migration"));
  await owner.end();
});

test("a statement over its limit is cancelled, and a long job has its own limit while it runs", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const url = new URL(database.runtimeUrl);
  url.searchParams.set("options", "-c statement_timeout=50");
  const opening = { url: url.href, purpose: "worker", applicationName: "test", connectionsMax: 1 } as const;
  const client = openMetricClient(opening);
  onTestFinished(() => client.end());
  await expect(client.query("SELECT pg_sleep(60)")).rejects.toMatchObject({ code: "57014" });
  await expect(inTransaction(client, (tx) => tx.query("SELECT pg_sleep(60)"))).rejects.toThrow();
  const connection = await client.connect();
  const timeout = async () => (await connection.query("SHOW statement_timeout")).rows[0].statement_timeout;
  expect(await withStatementTimeout(connection, 600_000, timeout)).toBe("10min");
  expect(await timeout()).toBe("50ms");
  connection.release();
});

test("writes that bypass the ORM commit with its transaction or not at all", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const opening = { url: database.runtimeUrl, purpose: "tool", applicationName: "test" } as const;
  const db = openDatabase({ ...opening, connectionsMax: 3 });
  onTestFinished(() => db.$disconnect());
  const write = (key: string, shouldFail: boolean) =>
    db.$transaction(async (tx) => {
      await tx.rateLimit.create({ data: { ...limit, key: `${key} by the ORM` } });
      const connection = await bulkConnection(db, tx);
      await connection.query("INSERT INTO rate_limit VALUES ($1, 1, now(), now())", [`${key} past it`]);
      await tx.rateLimit.update({ where: { key: `${key} past it` }, data: { requestCount: 2 } });
      if (shouldFail) throw new Error("The transaction fails.");
    });
  const limit = { requestCount: 1, windowStartedAt: new Date(0), windowEndsAt: new Date(0) };
  const outcomes = await Promise.allSettled([write("one", false), write("two", true), write("three", false)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const rows = await db.rateLimit.findMany({ orderBy: { key: "asc" } });
  expect(rows.map(({ key, requestCount }) => [key, requestCount])).toEqual([
    ["one by the ORM", 1],
    ["one past it", 2],
    ["three by the ORM", 1],
    ["three past it", 2],
  ]);
  const other = openDatabase({ ...opening, connectionsMax: 1 });
  onTestFinished(() => other.$disconnect());
  await expect(db.$transaction((tx) => bulkConnection(other, tx))).rejects.toThrow("was not found");
});
