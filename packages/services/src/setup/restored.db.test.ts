/** Tests that a console restored from a backup into an empty database equals the original. */
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { backUp, restore } from "@stashlight/db/backup";
import { copyWithoutEnd, rewriteBackup } from "@stashlight/db/backup/testing";
import { createEmptyDatabase, type TestDatabase, testProfile } from "@stashlight/db/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkAuditChain } from "../audit/verify.ts";
import { writeAudit } from "../audit/write.ts";
import { backupKey } from "../backup/backup-key.ts";
import { openSecretAccessKey } from "../endpoint/credentials.ts";
import { keyIdOfSecret } from "../secret/credential-encryption.ts";
import {
  createTestEndpoint,
  openTestInstallation,
  type Person,
  type TestInstallation,
} from "../testing/index.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const secret = "a secret of the tests, long enough to be taken for one";
const key = backupKey(secret);
const trust = { type: "key", key } as const;
let installation: TestInstallation;
let admin: Person;
const folder = useSharedFolder();
const path = join(folder, "console.backup");
const empty: TestDatabase[] = [];

beforeAll(async () => {
  installation = await openTestInstallation();
  admin = await installation.person("admin", "Ada");
  const { db } = installation.platform;
  await createTestEndpoint(installation.platform, { name: "B2" });
  for (const name of ["one", "two", 'Grüße \u{1f5c4} "quoted", (and) \\ more'])
    await db.$transaction((tx) =>
      writeAudit(tx, admin.ctx, { action: "user.invited", target: { kind: "invitation", id: "id", name } }),
    );
  await installation.asOwner(
    (tx) =>
      tx.$executeRaw`INSERT INTO installation_secret (id, key_id, since) VALUES (1, ${keyIdOfSecret(secret)}, now()) ON CONFLICT DO NOTHING`,
  );
  expect(await backUp({ url: installation.database.ownerUrl, path, nowMs: Date.now(), key })).toMatchObject({
    keyIds: [keyIdOfSecret(secret)],
  });
});
afterAll(async () => {
  await installation?.close();
  await Promise.all(empty.map((database) => database.drop()));
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  empty.push(database);
  return database;
}

const restoreInto = ({ ownerUrl }: TestDatabase, from = path) =>
  restore({ ownerUrl, path: from, trust, profile: testProfile() });

const everything = async ({ platform: { db } }: Pick<TestInstallation, "platform">) => ({
  users: await db.user.findMany({ orderBy: { id: "asc" } }),
  endpoints: await db.endpoint.findMany({ orderBy: { id: "asc" } }),
  events: await db.auditEvent.findMany({ orderBy: { sequence: "asc" } }),
  schedules: await db.schedule.findMany({ orderBy: { id: "asc" } }),
});

test("users, endpoints with their secrets and the audit log with its chain are restored, and no user is signed in", async () => {
  const database = await emptyDatabase();
  expect(await restoreInto(database)).toMatchObject({ keyId: keyIdOfSecret(secret) });
  const platform = installation.anotherPlatform({ databaseUrl: database.runtimeUrl });
  const restored = await everything({ platform });
  expect(restored).toEqual(await everything(installation));
  const [endpoint] = restored.endpoints;
  if (endpoint === undefined) throw new Error("There is an endpoint.");
  expect(openSecretAccessKey(secret, endpoint as { id: string; secretAccessKey: string })).not.toBe("");
  expect(await checkAuditChain(platform)).toMatchObject({
    state: "intact",
    eventsChecked: restored.events.length,
  });
  expect(await platform.db.session.count()).toBe(0);
  await platform.db.$transaction((tx) =>
    writeAudit(tx, admin.ctx, {
      action: "user.invited",
      target: { kind: "invitation", id: "id", name: "next" },
    }),
  );
  expect((await checkAuditChain(platform)).state).toBe("intact");
});

test("only the owner may read the backup file", () => {
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a database that is in use is refused, and left unchanged", async () => {
  const before = await everything(installation);
  await expect(restoreInto(installation.database)).rejects.toThrow(
    /^The database is not empty: \w+ has rows\. Restore into a new database; nothing was changed\.$/,
  );
  expect(await everything(installation)).toEqual(before);
});

test("a secret other than the backup's is refused before anything is stored, and the right one is then accepted", async () => {
  const database = await emptyDatabase();
  const checkKey = () => {
    throw new Error("another secret");
  };
  await expect(
    restore({ ownerUrl: database.ownerUrl, path, trust, profile: testProfile(), checkKey }),
  ).rejects.toThrow("another secret");
  expect((await restoreInto(database)).rowCount).toBeGreaterThan(0);
});

const broken: [string, () => string | Promise<string>, RegExp][] = [
  [
    "cut off",
    () => {
      const file = join(folder, "cut");
      writeFileSync(file, readFileSync(path));
      truncateSync(file, statSync(path).size - 50);
      return file;
    },
    /is not whole: it was cut off or changed/,
  ],
  ["without its end", () => copyWithoutEnd(path, join(folder, "endless")), /is not whole/],
  [
    "with a row less",
    () => rewriteBackup(path, { to: join(folder, "less"), key, change: (items) => items.toSpliced(-2, 1) }),
    /is not whole/,
  ],
  [
    "of something else",
    () => {
      const file = join(folder, "other");
      writeFileSync(file, "photos");
      return file;
    },
    /is not a backup of Stashlight's console/,
  ],
  ["that is missing", () => join(folder, "nowhere"), /cannot be read \(ENOENT\)/],
  [
    "of a later format",
    () => {
      const file = join(folder, "later");
      const bytes = readFileSync(path);
      bytes.writeUInt32BE(9, 16);
      writeFileSync(file, bytes);
      return file;
    },
    /written by a later version/,
  ],
  [
    "of a later version",
    () => {
      const header = { migrations: ["20990101000000_later"] };
      return rewriteBackup(path, { to: join(folder, "newer"), key, header });
    },
    /has the migration 20990101000000_later, which this version does not know; restore it with the version that made it/,
  ],
  [
    "of an earlier version",
    () => rewriteBackup(path, { to: join(folder, "older"), key, header: { migrations: [] } }),
    /lacks the migration \w+ of this/,
  ],
];

test("a file that is not a whole backup of this version is refused, and leaves the database empty", async () => {
  const database = await emptyDatabase();
  for (const [what, file, sentence] of broken)
    await expect(restoreInto(database, await file()), what).rejects.toThrow(sentence);
  expect((await restoreInto(database)).rowCount).toBeGreaterThan(0);
});
