import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsDirectory } from "./migrations.ts";
import { splitStatements } from "./statements.ts";

test.each([
  ["SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]],
  ["SELECT ';'; SELECT 'it''s; fine';", ["SELECT ';'", "SELECT 'it''s; fine'"]],
  ["SELECT E'\\';' ; SELECT 2", ["SELECT E'\\';'", "SELECT 2"]],
  ['CREATE TABLE "a;b" (id int);', ['CREATE TABLE "a;b" (id int)']],
  ["DO $$ BEGIN x; END; $$; SELECT 1", ["DO $$ BEGIN x; END; $$", "SELECT 1"]],
  ["DO $b$ a; $$ ; $b$; SELECT 1", ["DO $b$ a; $$ ; $b$", "SELECT 1"]],
  ["-- one; two\nSELECT 1;\n-- the end;\n", ["-- one; two\nSELECT 1"]],
  ["/* ; */ SELECT 1;;", ["/* ; */ SELECT 1"]],
  ["", []],
])("the script %j is split into its statements", (script, statements) => {
  expect(splitStatements(script)).toEqual(statements);
});

test("no statement of a migration is cut in two, or joined with another", async () => {
  for (const name of await readdir(migrationsDirectory)) {
    if (!/^\d/.test(name)) continue;
    for (const file of await readdir(join(migrationsDirectory, name))) {
      const script = await readFile(join(migrationsDirectory, name, file), "utf8");
      for (const statement of splitStatements(script)) {
        const withoutComments = statement.replace(/--[^\n]*\n|\/\*[\s\S]*?\*\//g, "").trim();
        expect(withoutComments, `${name}/${file}`).toMatch(
          /^(ALTER|COMMENT|CREATE|DELETE|DO|DROP|GRANT|INSERT|RESET|REVOKE|SELECT|SET|UPDATE|WITH)\b/,
        );
        expect(withoutComments.split("$").length % 2, `${name}/${file}`).toBe(1);
      }
    }
  }
});
