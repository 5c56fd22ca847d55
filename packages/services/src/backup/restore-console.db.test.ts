/** Tests that an unproven file changes no database, and that restoring one nevertheless leaves a trace. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { type BackupKey, type BackupTrust, backUp, restore } from "@stashlight/db/backup";
import {
  copyWithoutEnd,
  joinManifestAndChunks,
  type RewriteOptions,
  rewriteAsGzip,
  rewriteBackup,
} from "@stashlight/db/backup/testing";
import { openMetricClient } from "@stashlight/db/metrics";
import { createEmptyDatabase, type TestDatabase, testProfile } from "@stashlight/db/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkAuditChain } from "../audit/verify.ts";
import { keyIdOfSecret } from "../secret/credential-encryption.ts";
import { auditEvents, openTestInstallation, type TestInstallation } from "../testing/index.ts";
import { backupKey } from "./backup-key.ts";
import { type RestoreConsoleOptions, restoreConsole } from "./restore-console.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const secret = "a secret of the tests, long enough to be taken for one";
const otherSecret = "a secret of another installation, as long as the first";
const key = backupKey(secret);
let installation: TestInstallation;
const folder = useSharedFolder();
let path: string;
const empty: TestDatabase[] = [];
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  path = at("console.backup");
  installation = await openTestInstallation();
  await installation.person("admin", "Ada");
  await installation.person("viewer", "Vera");
  await installation.asOwner(
    (tx) =>
      tx.$executeRaw`INSERT INTO installation_secret (id, key_id, since) VALUES (1, ${key.keyId}, now()) ON CONFLICT DO NOTHING`,
  );
  await write(path, key);
});
afterAll(async () => {
  await installation?.close();
  await Promise.all(empty.map((database) => database.drop()));
});

const write = (to: string, writeKey: BackupKey) =>
  backUp({ url: installation.database.ownerUrl, path: to, nowMs: Date.now(), key: writeKey });

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  empty.push(database);
  return database;
}

const restoreInto = (
  { ownerUrl }: TestDatabase,
  from: string,
  options: Partial<RestoreConsoleOptions> = {},
) =>
  restoreConsole({
    ownerUrl,
    path: from,
    profile: testProfile(),
    secret,
    verification: "own",
    now: () => new Date("2026-11-28T04:00:00Z"),
    ...options,
  });

const connect = ({ ownerUrl }: TestDatabase) =>
  openMetricClient({
    url: ownerUrl,
    purpose: "tool",
    applicationName: "test-owner",
    connectionsMax: 1,
  });

async function query(database: TestDatabase, text: string): Promise<Record<string, unknown>[]> {
  const client = connect(database);
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
const tableNames = (database: TestDatabase) =>
  query(
    database,
    "SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  );
const rolesIn = (database: TestDatabase) =>
  query(database, "SELECT name, role::text FROM user_account ORDER BY name");

/** Makes Vera an admin, as anyone with write access to the backup folder could. */
const promote: NonNullable<RewriteOptions["change"]> = (items) => {
  const changed = items.map((item) =>
    item.type === "row" && item.row.includes("Vera")
      ? { ...item, row: item.row.replace("viewer", "admin") }
      : item,
  );
  expect(changed).not.toEqual(items);
  return changed;
};

test("a backup in which a viewer was made an admin is refused before the database is touched", async () => {
  const database = await emptyDatabase();
  const forged = { keyId: key.keyId, key: Buffer.alloc(32, 7) };
  const recomputed = await rewriteBackup(path, { to: at("recomputed"), key: forged, change: promote });
  await expect(restoreInto(database, recomputed)).rejects.toThrow(
    /is not whole: it was cut off or changed \(its manifest fails its check\)\. Nothing was restored; use another backup\.$/,
  );
  const spliced = joinManifestAndChunks(path, recomputed, at("spliced"));
  await expect(restoreInto(database, spliced)).rejects.toThrow(/\(chunk 1 fails its check\)/);
  const endless = copyWithoutEnd(path, at("endless"));
  await expect(restoreInto(database, endless)).rejects.toThrow(/\(its end is missing\)/);
  const gzip = await rewriteAsGzip(path, { to: at("gzip"), change: promote });
  await expect(restoreInto(database, gzip)).rejects.toThrow(/was written by an earlier version, .*no MAC/);
  expect(await tableNames(database)).toEqual([]);
  await restoreInto(database, path);
  expect(await rolesIn(database)).toMatchObject([
    { name: "Ada", role: "admin" },
    { name: "Vera", role: "viewer" },
  ]);
});

test("a verified restore is recorded as the newest event of an unbroken audit log", async () => {
  const database = await emptyDatabase();
  const { createdAt } = await restoreInto(database, path);
  const platform = installation.anotherPlatform({ databaseUrl: database.runtimeUrl });
  expect((await auditEvents(platform)).at(-1)).toMatchObject({
    action: "installation.restored",
    after: { backupCreatedAt: createdAt, keyId: key.keyId, verification: "own" },
  });
  expect((await checkAuditChain(platform)).state).toBe("intact");
});

test("another installation's backup is restored only on request, with the secret that wrote it", async () => {
  const database = await emptyDatabase();
  await expect(restoreInto(database, path, { secret: otherSecret })).rejects.toThrow(
    new RegExp(
      `was written by another installation, .*key ${key.keyId}; the secret given has key ${keyIdOfSecret(otherSecret)}.*--other-installation SECRET_FILE`,
    ),
  );
  await expect(
    restoreInto(database, path, { secret: otherSecret, verification: "other-installation" }),
  ).rejects.toThrow(/was written by another installation/);
  expect(await tableNames(database)).toEqual([]);
  await restoreInto(database, path, { verification: "other-installation" });
  const platform = installation.anotherPlatform({ databaseUrl: database.runtimeUrl });
  expect((await auditEvents(platform)).at(-1)).toMatchObject({
    action: "installation.restored",
    after: { keyId: key.keyId, verification: "other-installation" },
  });
});

test.each(["this format", "format 1"])(
  "a file of %s is restored unverified, and the audit log records that",
  async (format) => {
    const database = await emptyDatabase();
    const forged = { keyId: key.keyId, key: Buffer.alloc(32, 7) };
    const from =
      format === "format 1"
        ? await rewriteAsGzip(path, { to: at("old") })
        : await rewriteBackup(path, { to: at("lost"), key: forged });
    await restoreInto(database, from, { secret: undefined, verification: "unverified" });
    const platform = installation.anotherPlatform({ databaseUrl: database.runtimeUrl });
    expect((await auditEvents(platform)).at(-1)).toMatchObject({
      action: "installation.restored",
      after: { keyId: format === "format 1" ? null : key.keyId, verification: "unverified" },
    });
    expect((await checkAuditChain(platform)).state).toBe("intact");
  },
);

test("no row is kept of a file that another backup replaced after its verification", async () => {
  const database = await emptyDatabase();
  const [replaced, second] = [at("replaced"), at("second")];
  copyFileSync(path, replaced);
  await write(second, key);
  // The migrations between the two reads wait for this lock and log that.
  const migrating = connect(database);
  await migrating.query("SELECT pg_advisory_lock(8319395793566789734)");
  let replacedCount = 0;
  const log = () => {
    replacedCount += 1;
    // Overwrites the file that the restore has open.
    writeFileSync(replaced, readFileSync(second));
    void migrating.end();
  };
  await expect(restoreInto(database, replaced, { log })).rejects.toThrow(/it changed while it was restored/);
  expect(replacedCount).toBe(1);
  expect(await rolesIn(database)).toEqual([]);
});

test("no row of a restore killed before its commit is kept, and the next restore succeeds", async () => {
  const database = await emptyDatabase();
  const trust: BackupTrust = { type: "key", key };
  const killed = `
    import { restore } from "@stashlight/db/backup";
    const options = JSON.parse(process.argv[1]);
    const trust = { type: "key", key: { ...options.key, key: Buffer.from(options.key.key, "hex") } };
    await restore({ ...options, trust, checkKey: () => process.kill(process.pid, "SIGKILL") });`;
  const options = {
    ownerUrl: database.ownerUrl,
    path,
    profile: testProfile(),
    key: { keyId: key.keyId, key: Buffer.from(key.key).toString("hex") },
  };
  const child = spawn(process.execPath, ["--input-type=module", "-e", killed, JSON.stringify(options)], {
    cwd: import.meta.dirname,
    stdio: "ignore",
  });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  expect(await rolesIn(database)).toEqual([]);
  expect((await restore({ ...options, trust })).rowCount).toBeGreaterThan(0);
});

test("one of two restores into one database finishes, and the other is refused", async () => {
  const database = await emptyDatabase();
  const results = await Promise.allSettled([restoreInto(database, path), restoreInto(database, path)]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [reason] = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(String(reason)).toMatch(/The database is not empty: \w+ has rows/);
  expect(await rolesIn(database)).toHaveLength(2);
});

test("a refusal by Postgres is reported, and no row is kept", async () => {
  const database = await emptyDatabase();
  const doubled = await rewriteBackup(path, {
    to: at("doubled"),
    key,
    change: (items) => {
      const at = items.findIndex((item) => item.type === "row" && item.row.includes("Vera"));
      const [row, end] = [items[at], items.at(-1)];
      if (row === undefined || end?.type !== "end") throw new Error("Vera and the end are in the backup.");
      const counted = { ...end, end: { ...end.end, rowCount: end.end.rowCount + 1 } };
      return [...items.slice(0, at), row, ...items.slice(at, -1), counted];
    },
  });
  await expect(restoreInto(database, doubled)).rejects.toThrow(
    /^Nothing was restored: Postgres answered 23505, duplicate key .*\. See the log of Postgres\.$/,
  );
  expect(await rolesIn(database)).toEqual([]);
});

test("a backup with a secret other than the database's is refused, and leaves no file", async () => {
  const to = at("other-secret");
  await expect(write(to, backupKey(otherSecret))).rejects.toThrow(
    new RegExp(`has key ${keyIdOfSecret(otherSecret)} and this database needs key ${key.keyId}`),
  );
  expect([to, `${to}.partial`].map((each) => existsSync(each))).toEqual([false, false]);
});
