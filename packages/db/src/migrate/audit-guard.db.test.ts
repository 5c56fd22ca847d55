/** Tests the owner of the audit log's head, and the message if the owner cannot be changed. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { randomName, urlOfDatabase, withClient } from "../testing/databases.ts";
import { createEmptyDatabase, type TestDatabase } from "../testing/index.ts";
import { auditGuardQuery, auditorRole } from "./audit-guard.ts";
import { migrateDatabase } from "./index.ts";

let database: TestDatabase;
let owner: string;
let ownerUrl: string;

/** Creates an owner that can neither create nor grant roles, as docs/deploy.md describes it for administrators. */
beforeEach(async () => {
  database = await createEmptyDatabase();
  owner = randomName("stashlight_test_owner");
  await asAdministrator(`
    CREATE ROLE ${owner} LOGIN PASSWORD 'a password of the tests';
    GRANT ${owner} TO CURRENT_USER WITH SET TRUE, INHERIT TRUE;
    GRANT stashlight_app TO ${owner};
    ALTER DATABASE ${database.name} OWNER TO ${owner};
    ALTER SCHEMA public OWNER TO ${owner}`);
  const url = new URL(urlOfDatabase(database.ownerUrl, database.name));
  ownerUrl = Object.assign(url, { username: owner, password: "a password of the tests" }).href;
});

afterEach(async () => {
  await database.drop();
  await asServer(`DROP ROLE ${owner}`);
});

const asAdministrator = (sql: string) => withClient(database.ownerUrl, (client) => client.query(sql));
const asServer = (sql: string) =>
  withClient(urlOfDatabase(database.ownerUrl, "postgres"), (client) => client.query(sql));

async function guard(): Promise<{ owner: string; isShared: boolean }> {
  const { rows } = await withClient(ownerUrl, (client) => client.query(auditGuardQuery));
  return rows[0];
}
async function migrate(): Promise<string[]> {
  const said: string[] = [];
  await migrateDatabase({ ownerUrl, log: (line) => said.push(line) });
  return said.filter((line) => line.includes("audit log"));
}

test("without the auditor's role the owner keeps the head and the log names the commands to run; once it has the role, the head is transferred", async () => {
  const [sentence = ""] = await migrate();
  expect(sentence).toMatch(`stays with the role "${owner}"; ask an administrator to run: CREATE ROLE`);
  expect(await guard()).toEqual({ owner, isShared: true });
  expect(await migrate()).toEqual([sentence]);
  await asServer(`GRANT ${auditorRole} TO ${owner} WITH INHERIT FALSE, SET TRUE`);
  expect(await migrate()).toEqual([]);
  expect(await guard()).toEqual({ owner: auditorRole, isShared: false });
  expect(await migrate()).toEqual([]);
});

test("after the transfer, the owner no longer needs the auditor's role", async () => {
  await asServer(`GRANT ${auditorRole} TO ${owner} WITH INHERIT FALSE, SET TRUE`);
  await migrate();
  await asServer(`REVOKE ${auditorRole} FROM ${owner}`);
  expect(await migrate()).toEqual([]);
  await withClient(ownerUrl, async (client) => {
    for (const sql of [
      `SET ROLE ${auditorRole}`,
      "UPDATE audit_guard.head SET sequence = 0",
      "DROP TABLE audit_guard.head",
      "CREATE OR REPLACE FUNCTION audit_guard.follow_event() RETURNS trigger LANGUAGE sql AS ''",
    ]) {
      await expect(client.query(sql), sql).rejects.toMatchObject({ code: "42501" });
    }
  });
});
