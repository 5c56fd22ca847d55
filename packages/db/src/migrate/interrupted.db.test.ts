/** Tests a migrating process, or its connection, that ends in the middle of a script. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withClient } from "../testing/databases.ts";
import { createEmptyDatabase, type TestDatabase } from "../testing/index.ts";
import { makeMigrationsFolder } from "../testing/migrations-folder.ts";
import { migrateDatabase } from "./index.ts";

const barrierKey = 4711;
const script = `CREATE TABLE first_half (id int); SELECT pg_advisory_xact_lock(${barrierKey}); CREATE TABLE second_half (id int);`;
const patience = { timeout: 15_000, interval: 25 };

let database: TestDatabase;
/** Pauses the script midway while the test holds the barrier's lock. */
let barrier: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  barrier = new pg.Client({ connectionString: database.ownerUrl });
  await barrier.connect();
  await barrier.query("SELECT pg_advisory_lock($1)", [barrierKey]);
});

afterEach(async () => {
  await barrier.end();
  await database.drop();
});

const openBarrier = () => barrier.query("SELECT pg_advisory_unlock($1)", [barrierKey]);

function spawnMigration(directory: string): ChildProcess {
  const code = `const { migrateDatabase } = await import(process.argv[1]);
    await migrateDatabase({ ownerUrl: process.argv[2], directory: process.argv[3] });`;
  const entry = new URL("index.ts", import.meta.url).href;
  const args = ["--input-type=module", "--eval", code, entry, database.ownerUrl, directory];
  return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
}

/** Returns the process id of the session that waits midway through the script. */
async function waitForSessionAtBarrier(): Promise<number> {
  return vi.waitFor(async () => {
    const { rows } = await barrier.query<{ pid: number }>(
      `SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE datname = current_database() AND objid = $1 AND NOT granted`,
      [barrierKey],
    );
    const pid = rows[0]?.pid;
    if (pid === undefined) throw new Error("The script has not reached its middle.");
    return pid;
  }, patience);
}

async function killInMidScript(directory: string): Promise<number> {
  const child = spawnMigration(directory);
  const exited = once(child, "exit");
  const session = await waitForSessionAtBarrier();
  child.kill("SIGKILL");
  await exited;
  return session;
}

async function expectAppliedOnce(): Promise<void> {
  await withClient(database.ownerUrl, async (client) => {
    const tables = await client.query(
      "SELECT to_regclass('first_half') AS a, to_regclass('second_half') AS b",
    );
    expect(tables.rows).toEqual([{ a: "first_half", b: "second_half" }]);
    const history = await client.query(
      "SELECT finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL",
    );
    expect(history.rows).toEqual([{ finished: true }]);
  });
}

test("after kill -9 and the end of its session, the next start applies the migration again", async () => {
  const { directory } = makeMigrationsFolder({ "1_halves": script });
  const session = await killInMidScript(directory);
  await barrier.query("SELECT pg_terminate_backend($1, 10000)", [session]);
  await openBarrier();
  expect(await migrateDatabase({ ownerUrl: database.ownerUrl, directory })).toEqual({
    applied: ["1_halves"],
  });
  await expectAppliedOnce();
});

test("after kill -9, the next start waits for the session that continues the script", async () => {
  const { directory } = makeMigrationsFolder({ "1_halves": script });
  await killInMidScript(directory);
  const lines: string[] = [];
  const next = migrateDatabase({
    ownerUrl: database.ownerUrl,
    directory,
    log: (line) => lines.push(line),
  });
  const waiting = "A migration of an earlier start is still running in the database; waiting for it.";
  await vi.waitFor(() => expect(lines).toContain(waiting), patience);
  await openBarrier();
  await next;
  await expectAppliedOnce();
});

test("a connection dropped midway through a script is an error, and the next start continues", async () => {
  const { directory } = makeMigrationsFolder({ "1_halves": script });
  const interrupted = migrateDatabase({ ownerUrl: database.ownerUrl, directory }).catch((error) => error);
  await waitForSessionAtBarrier();
  await barrier.query(
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  expect(await interrupted).toHaveProperty(
    "message",
    expect.stringMatching(/^The migration 1_halves failed and was rolled back \(.+\); fix the cause/),
  );
  await openBarrier();
  expect(await migrateDatabase({ ownerUrl: database.ownerUrl, directory })).toEqual({
    applied: ["1_halves"],
  });
  await expectAppliedOnce();
});
