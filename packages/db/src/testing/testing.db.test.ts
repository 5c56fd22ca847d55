import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { withClient } from "./databases.ts";
import { createTestDatabase } from "./index.ts";
import { withThrowAwayDatabase } from "./throw-away.ts";

const countRateLimits = (url: string) =>
  withClient(
    url,
    async (client) => (await client.query("SELECT count(*)::int AS n FROM rate_limit")).rows[0].n,
  );

test("test databases are migrated, independent of each other, and gone when dropped", async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await withClient(first.runtimeUrl, (client) =>
    client.query("INSERT INTO rate_limit VALUES ('key', 1, now(), now())"),
  );
  expect(await countRateLimits(first.ownerUrl)).toBe(1);
  expect(await countRateLimits(second.ownerUrl)).toBe(0);
  await Promise.all([first.drop(), second.drop()]);
  await expect(countRateLimits(first.ownerUrl)).rejects.toThrow("does not exist");
});

const ownFolders = () => readdirSync(tmpdir()).filter((name) => name.includes(`throw-away-${process.pid}-`));

test("a throw-away database is removed even if its use fails", async () => {
  let url = "";
  const use = withThrowAwayDatabase(async (ownerUrl) => {
    url = ownerUrl;
    await withClient(ownerUrl, (client) => client.query("CREATE TABLE mine (id int)"));
    throw new Error("The use failed.");
  });
  await expect(use).rejects.toThrow("The use failed.");
  expect(ownFolders()).toEqual([]);
  await expect(withClient(url, async () => {})).rejects.toThrow();
});
