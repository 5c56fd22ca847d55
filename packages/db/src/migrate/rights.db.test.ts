/** Tests the rights of console and worker in the database, and that they lack others even if they have a flaw. */
import pg from "pg";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../client.ts";
import { jobQueueSchema } from "../job-queue-schema.ts";
import { withClient } from "../testing/databases.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";

const insufficientPrivilege = "42501";
const appendOnly = ["audit_event", "audit_seal"];
const migrationList = "_prisma_migrations";

let database: TestDatabase;
let runtime: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = new pg.Client({ connectionString: database.runtimeUrl });
  await runtime.connect();
});

afterAll(async () => {
  await runtime.end();
  await database.drop();
});

const hash = "0".repeat(64);
const insertAuditEvent = `INSERT INTO audit_event
  (sequence, occurred_at, actor_name, ip_address, user_agent, action, previous_hash, hash)
  VALUES (1, now(), 'nobody', '127.0.0.1', 'test', 'test', '${hash}', '${hash}')`;
const insertAuditSeal = `INSERT INTO audit_seal
  (day, first_sequence, last_sequence, event_count, last_hash, previous_hash, hash, sealed_at)
  VALUES ('2026-01-01', 1, 1, 1, '${hash}', '${hash}', '${hash}', now())`;

test("the audit log can be read and appended to", async () => {
  await runtime.query(insertAuditEvent);
  await runtime.query(insertAuditSeal);
  const { rows } = await runtime.query(
    "SELECT (SELECT count(*) FROM audit_event) AS events, (SELECT count(*) FROM audit_seal) AS seals",
  );
  expect(rows).toEqual([{ events: "1", seals: "1" }]);
});

test("each new event and each new seal updates the head of the log", async () => {
  const head = "SELECT sequence::int, event_hash, seal_count, seal_hash FROM audit_guard.head";
  expect((await runtime.query(head)).rows).toEqual([
    { sequence: 1, event_hash: hash, seal_count: 1, seal_hash: hash },
  ]);
});

const forbidden = [
  ...appendOnly.flatMap((table) => [
    `UPDATE ${table} SET hash = hash`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table}`,
    `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    `DROP TABLE ${table}`,
  ]),
  "INSERT INTO audit_event SELECT * FROM audit_event ON CONFLICT (sequence) DO UPDATE SET action = 'other'",
  "CREATE RULE hide AS ON INSERT TO audit_event DO INSTEAD NOTHING",
  "CREATE TABLE mine (id int)",
  "CREATE SCHEMA mine",
  `CREATE TABLE ${jobQueueSchema}.mine (id int)`,
  "ALTER TABLE user_account ADD COLUMN mine int",
  "TRUNCATE user_account CASCADE",
  "CREATE INDEX ON user_account (name)",
  "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql RETURN 1",
  `UPDATE ${migrationList} SET checksum = ''`,
  `DELETE FROM ${migrationList}`,
  `TRUNCATE ${migrationList}`,
  `INSERT INTO ${migrationList} (id, checksum, migration_name) VALUES ('1', '', '1')`,
  "CREATE ROLE mine",
  "UPDATE audit_guard.head SET sequence = 0",
  "DELETE FROM audit_guard.head",
  "INSERT INTO audit_guard.head SELECT * FROM audit_guard.head",
  "TRUNCATE audit_guard.head",
  "DROP SCHEMA audit_guard CASCADE",
  "CREATE TABLE audit_guard.mine (id int)",
  "SET ROLE stashlight_auditor",
];

describe("Postgres refuses the runtime login", () => {
  test.each(forbidden)("%s", async (sql) => {
    await expect(runtime.query(sql)).rejects.toMatchObject({ code: insufficientPrivilege });
  });

  test("the right to grant itself more", async () => {
    // Without a right to grant, Postgres only warns.
    await runtime.query("GRANT ALL ON audit_event TO CURRENT_USER");
    await expect(runtime.query("UPDATE audit_event SET hash = hash")).rejects.toMatchObject({
      code: insufficientPrivilege,
    });
  });

  test("the role of the owner, also after RESET ROLE", async () => {
    const owner = decodeURIComponent(new URL(database.ownerUrl).username);
    const login = decodeURIComponent(new URL(database.runtimeUrl).username);
    await withClient(database.runtimeUrl, async (client) => {
      await client.query("RESET ROLE");
      const { rows } = await client.query("SELECT current_user AS role");
      expect(rows).toEqual([{ role: login }]);
      for (const sql of [
        `SET ROLE "${owner}"`,
        `SET SESSION AUTHORIZATION "${owner}"`,
        "DELETE FROM audit_event",
      ]) {
        await expect(client.query(sql), sql).rejects.toMatchObject({ code: insufficientPrivilege });
      }
    });
  });
});

test("every other table of the product can be read and written, but no table of another owner", async () => {
  const { rows } = await runtime.query<{ name: string; rights: string[] }>(
    `SELECT tablename AS name, ARRAY(
       SELECT r FROM unnest(ARRAY['SELECT','INSERT','UPDATE','DELETE','TRUNCATE','REFERENCES','TRIGGER']) AS r
        WHERE has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), r)) AS rights
       FROM pg_tables WHERE schemaname IN ('public', '${jobQueueSchema}')`,
  );
  const expected = (name: string) => {
    if (name === migrationList) return ["SELECT"];
    return appendOnly.includes(name) ? ["SELECT", "INSERT"] : ["SELECT", "INSERT", "UPDATE", "DELETE"];
  };
  expect(rows.length).toBeGreaterThan(15);
  expect(rows).toEqual(rows.map(({ name }) => ({ name, rights: expected(name) })));
});

test("a table of a later migration can be read and written", async () => {
  await withClient(database.ownerUrl, (client) => client.query("CREATE TABLE later (id int)"));
  await runtime.query("INSERT INTO later VALUES (1)");
  await runtime.query("UPDATE later SET id = 2");
  expect((await runtime.query("DELETE FROM later RETURNING id")).rows).toEqual([{ id: 2 }]);
});

test("the job queue works under the runtime login without migrating itself", async () => {
  const boss = new PgBoss({ connectionString: database.runtimeUrl, migrate: false, max: 2 });
  const errors: unknown[] = [];
  boss.on("error", (error) => errors.push(error));
  await boss.start();
  try {
    await boss.createQueue("housekeeping");
    await boss.send("housekeeping", { what: "sessions" });
    const [job] = await boss.fetch("housekeeping");
    expect(job?.data).toEqual({ what: "sessions" });
    await boss.complete("housekeeping", job?.id ?? "");
    expect(await boss.fetch("housekeeping")).toEqual([]);
  } finally {
    await boss.stop({ graceful: false, close: true });
  }
  expect(errors).toEqual([]);
});

test("a client with the owner's address still acts as the runtime role", async () => {
  const client = openDatabase({
    url: database.ownerUrl,
    purpose: "tool",
    applicationName: "test",
    connectionsMax: 1,
  });
  try {
    const event = {
      sequence: 2n,
      occurredAt: new Date(0),
      actorName: "nobody",
      ipAddress: "127.0.0.1",
      userAgent: "test",
      action: "test",
      previousHash: hash,
      hash,
    };
    await client.auditEvent.create({ data: event });
    await expect(client.auditEvent.deleteMany()).rejects.toThrow(/permission denied|denied access/i);
    expect(await client.$queryRaw`SELECT current_user AS role`).toEqual([{ role: "stashlight_app" }]);
  } finally {
    await client.$disconnect();
  }
});
