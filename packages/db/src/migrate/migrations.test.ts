import { expect, test } from "vitest";
import { migrationsDirectory, readMigrations } from "./migrations.ts";
import { STORAGE_PROFILES } from "./storage-profile.ts";

const migrations = await readMigrations(migrationsDirectory);
const ofProfiles = await Promise.all(
  STORAGE_PROFILES.map(async (profile) =>
    (await readMigrations(migrationsDirectory, profile)).map(({ name, sql }) => ({ name, profile, sql })),
  ),
);

/** Statements that would end the transaction, which makes a failed migration change nothing. */
const transactionControl = /^\s*(BEGIN|COMMIT|ROLLBACK|END|START\s+TRANSACTION|SAVEPOINT)\b[^;\n]*;/im;
const outsideTransactions = /\bCONCURRENTLY\b|^\s*(VACUUM|ALTER\s+SYSTEM|CREATE\s+DATABASE)\b/im;

/** Function bodies use BEGIN and END for blocks. */
function withoutBodiesAndComments(sql: string): string {
  return sql.replace(/--.*$/gm, "").replace(/(\$\w*\$).*?\1/gs, "''");
}

test.each(ofProfiles.flat())("$name of the profile $profile can run as one transaction", ({ sql }) => {
  const statements = withoutBodiesAndComments(sql);
  expect(statements).not.toMatch(transactionControl);
  expect(statements).not.toMatch(outsideTransactions);
});

test("migrations are named by time, so that they sort in the order in which they were written", () => {
  expect(migrations.length).toBeGreaterThan(0);
  for (const { name } of migrations) expect(name).toMatch(/^\d{14}_[a-z][a-z0-9_]*$/);
});
