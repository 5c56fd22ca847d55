/** Two vaults of `npm start --vaults 2`: the first is small and already exists, and the second is created like it. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { loadVaultFile } from "@stashlight/node-runtime/config";
import { S3Client } from "@stashlight/s3/client";
import { openTestInstallation, type TestInstallation } from "@stashlight/services/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort, killAll, projectDirectory, start } from "../role/testing/role-processes.ts";
import { Supervisor } from "../supervisor.ts";
import { writeSmallVault } from "../testing/small-vault.ts";
import { startVault, type VaultStarted } from "./local-vault.ts";
import { vaultFilePath } from "./vault-folders.ts";

const bucket = "photos";
const keys = Array.from({ length: 24 }, (_, at) => `key-${at}`);

let installation: TestInstallation;
const dataDirectory = useSharedFolder();
let supervisor: Supervisor;
let ports: { readonly s3: number; readonly ingest: number };

beforeAll(async () => {
  mkdirSync(join(dataDirectory, "logs"));
  supervisor = new Supervisor(() => {});
  installation = await openTestInstallation({ kind: "worker", now: () => new Date() });
  ports = { s3: await freePort(), ingest: await freePort() };
  await start(installation, "ingest", ports.ingest);
  await writeSmallVault(vaultFilePath(dataDirectory), { ingestPort: ports.ingest, segmentCount: 10 });
});
afterAll(async () => {
  await supervisor.stop();
  await killAll();
  await installation.close();
});

function startTwo(changes: { settledWithinMs?: number } = {}): Promise<VaultStarted> {
  const { databaseUrl, secret, publicUrl } = installation.platform.options;
  const env = { PATH: process.env.PATH };
  const access = { DATABASE_URL: databaseUrl, STASHLIGHT_SECRET: secret, STASHLIGHT_PUBLIC_URL: publicUrl };
  return startVault({
    projectDirectory,
    dataDirectory,
    ports,
    env,
    count: 2,
    shape: {},
    isModelled: false,
    hasBenchmark: false,
    installationEnv: { ...env, ...access },
    show: () => {},
    onSpawn: () => {},
    startPart: (part) => supervisor.start(part),
    keepPart: (part) => supervisor.keep(part),
    stopping: new AbortController().signal,
    ...changes,
  });
}

/** An admin page of this machine. */
async function ask<Page>(port: number, token: string, path: string): Promise<Page> {
  const headers = { authorization: `Bearer ${token}` };
  return (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json()) as Page;
}

interface Endpoint {
  readonly vaults: readonly { readonly name: string; readonly newKeysShare: number }[];
}

interface PodHealth {
  readonly drives: readonly { readonly log: { readonly recordsLive: number } | null }[];
}

/** Records on the pods of each vault. */
function recordCounts(): Promise<number[]> {
  const counts = [1, 2].map(async (number) => {
    const path = vaultFilePath(dataDirectory, number);
    const { nodes } = loadVaultFile(path);
    const pod = nodes.find(({ role }) => role === "pod");
    const token = readFileSync(join(dirname(path), "admin.token"), "utf8").trim();
    const { drives } = await ask<PodHealth>(pod?.adminPort ?? 0, token, "/healthz");
    return drives.reduce((sum, { log }) => sum + (log?.recordsLive ?? 0), 0);
  });
  return Promise.all(counts);
}

test("a second vault is added; clients use both through one endpoint, and both report to the console", async () => {
  const { prepared, count, detail } = await startTwo();
  expect(count).toEqual({ total: 2, added: 1 });
  expect(detail).toMatch(/^2 vaults \(1 added\), 6 pods, 6 stash devices, [\d.]+ GB of disk$/);
  const { port, token } = prepared.admin;
  const bothOpen = async () => {
    const { vaults } = await ask<Endpoint>(port, token, "/vaults");
    const open = vaults.filter(({ newKeysShare }) => newKeysShare > 0).map(({ name }) => name);
    expect(open).toEqual(["local", "local-2"]);
  };
  await vi.waitFor(bothOpen, { timeout: 30_000, interval: 100 });

  const { endpoint, region, accessKeyId: id, secret } = prepared.s3;
  const client = new S3Client({ endpoint, region, accessKey: { id, secret } });
  await vi.waitFor(() => client.ensureBucket(bucket), { timeout: 15_000, interval: 100 });
  const before = await recordCounts();
  for (const key of keys) await client.putObject({ bucket, key, body: Buffer.from(`content of ${key}`) });
  for (const key of keys) {
    const { body } = await client.getObject({ bucket, key });
    expect(body.toString()).toBe(`content of ${key}`);
  }
  const after = await recordCounts();
  for (const at of [0, 1]) expect((after[at] ?? 0) - (before[at] ?? 0)).toBeGreaterThan(0);
  client.close();

  const reporting = async () => {
    const nodes = await installation.platform.db.node.findMany({
      where: { name: { endsWith: "coordinator-1" }, lastSeenAt: { not: null } },
      select: { name: true, vault: true },
      orderBy: { name: "asc" },
    });
    expect(nodes).toEqual([
      { name: "local-2.coordinator-1", vault: "local-2" },
      { name: "local.coordinator-1", vault: "local" },
    ]);
  };
  await vi.waitFor(reporting, { timeout: 20_000, interval: 200 });
});

test("vaults start although one of them has lost too many drives, and the reason is shown", async () => {
  await supervisor.stop();
  supervisor = new Supervisor(() => {});
  const pods = loadVaultFile(vaultFilePath(dataDirectory, 2)).nodes.flatMap((node) =>
    node.role === "pod" ? node.drives : [],
  );
  for (const { path } of pods.slice(0, 2)) rmSync(path, { recursive: true });
  const { detail } = await startTwo({ settledWithinMs: 2000 });
  expect(detail).toMatch(
    /^vault 2 takes no uploads yet \([01] pods? ha(s|ve) settled; uploads need 2\); npm run .* vault status --config .*vault-2.vault\.json shows why$/,
  );
});
