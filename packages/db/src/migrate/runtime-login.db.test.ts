/** Tests that a login for console and worker is accepted only with exactly the rights of the runtime role. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { randomName, withClient } from "../testing/databases.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { migrateDatabase } from "./index.ts";

let database: TestDatabase;
let login: string;
let runtimeUrl: string;

beforeEach(async () => {
  database = await createTestDatabase();
  login = randomName("stashlight_test_login");
  runtimeUrl = loginUrl(login, "a password of the tests");
  await asOwner(`
    CREATE ROLE ${login} LOGIN PASSWORD 'a password of the tests';
    CREATE ROLE ${login}_group;
    GRANT ${login}, ${login}_group TO CURRENT_USER WITH SET TRUE, INHERIT TRUE`);
});

afterEach(async () => {
  await asOwner(`DROP OWNED BY ${login}, ${login}_group; DROP ROLE ${login}, ${login}_group`);
  await database.drop();
});

const asOwner = (sql: string) => withClient(database.ownerUrl, (client) => client.query(sql));
const migrate = () => migrateDatabase({ ownerUrl: database.ownerUrl, runtimeUrl });

function loginUrl(username: string, password: string): string {
  return Object.assign(new URL(database.ownerUrl), { username, password }).href;
}

const refused = (message: string | RegExp) => ({
  name: "StashlightError",
  message: expect.stringMatching(message),
});

test("a member of the runtime role is accepted", async () => {
  await asOwner(`GRANT stashlight_app TO ${login}`);
  expect(await migrate()).toEqual({ applied: [] });
});

test("a login that may not act as the runtime role is refused with the command to run", async () => {
  await expect(migrate()).rejects.toMatchObject(refused(`run: GRANT stashlight_app TO "${login}";$`));
});

const ownTable = (role: string) => `
  GRANT CREATE ON SCHEMA public TO ${role};
  CREATE TABLE mine ();
  ALTER TABLE mine OWNER TO ${role};
  REVOKE CREATE ON SCHEMA public FROM ${role};`;
test.each([
  [
    "owns the database or tables in it",
    () => `${ownTable(`${login}_group`)} GRANT ${login}_group TO ${login} WITH INHERIT FALSE`,
  ],
  ["owns the database or tables in it", () => ownTable(login)],
  ["may change the audit log", () => `GRANT UPDATE ON audit_event TO ${login}`],
  ["may change the audit log", () => `GRANT UPDATE (action) ON audit_event TO ${login}`],
  ["may change the audit log", () => `GRANT DELETE ON audit_seal TO ${login}`],
  ["may change the audit log", () => "GRANT TRUNCATE ON audit_event TO stashlight_app"],
  ["may change the audit log", () => `GRANT stashlight_auditor TO ${login} WITH INHERIT FALSE`],
  ["may change the audit log", () => "GRANT TRIGGER ON audit_event TO PUBLIC"],
  ["may make roles, schemas or tables", () => `GRANT CREATE ON SCHEMA public TO ${login}`],
  ["may make roles, schemas or tables", () => `GRANT CREATE ON DATABASE ${database.name} TO ${login}`],
  ["may make roles, schemas or tables", () => `ALTER ROLE ${login} CREATEROLE`],
])("a login that %s is refused (%s)", async (excess, grant) => {
  await asOwner(`GRANT stashlight_app TO ${login}`);
  await asOwner(grant());
  await expect(migrate()).rejects.toMatchObject({
    code: "precondition_failed",
    message: `The run-time login "${login}" ${excess}; give Stashlight one that is a member of stashlight_app and of nothing else.`,
  });
});

test("the owner under another address is refused", async () => {
  runtimeUrl = `${database.ownerUrl}?application_name=other`;
  await expect(migrate()).rejects.toMatchObject(refused(/ (owns the database|is a superuser)/));
});

test("a login of another database is refused", async () => {
  const other = await createEmptyDatabase();
  try {
    await asOwner(`GRANT stashlight_app TO ${login}`);
    runtimeUrl = Object.assign(new URL(runtimeUrl), { pathname: other.name }).href;
    await expect(migrate()).rejects.toMatchObject(refused("leads to a database other than the owner's"));
  } finally {
    await other.drop();
  }
});

test("a login that cannot connect is refused with the reason, without its password", async () => {
  runtimeUrl = loginUrl(login, "hidden");
  const sentence = /^The run-time login cannot connect to the database \((?!.*hidden).*check its address/;
  await expect(migrate()).rejects.toMatchObject({ ...refused(sentence), code: "unavailable" });
});

test("migrating revokes the right of every login to create tables, which was the default before Postgres 15", async () => {
  const old = await createEmptyDatabase();
  try {
    await withClient(old.ownerUrl, (client) => client.query("GRANT CREATE ON SCHEMA public TO PUBLIC"));
    await migrateDatabase({ ownerUrl: old.ownerUrl, runtimeUrl: old.runtimeUrl });
    await withClient(old.runtimeUrl, async (client) => {
      await expect(client.query("CREATE TABLE mine (id int)")).rejects.toMatchObject({ code: "42501" });
    });
  } finally {
    await old.drop();
  }
});
