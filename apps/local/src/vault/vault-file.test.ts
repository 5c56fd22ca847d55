import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { expect, test } from "vitest";
import { shapeOfFile } from "./existing-shape.ts";
import { findTakenPlace } from "./ports.ts";
import { findCoordinator, prepareVaultFile } from "./vault-file.ts";
import { vaultCapacityBytes } from "./vault-size.ts";

const ports = { s3: 4690, ingest: 4685 };
const driveCount = 20 + 21;

const folder = useTestFolder();
const path = join(folder, "vault/vault.json");

test("the first start creates a vault that fits into 4 GiB, with a file that only its owner can read", async () => {
  const file = await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(findCoordinator(file).s3).toEqual({ host: "127.0.0.1", port: 4690, region: "us-east-1" });
  const driveCounts = file.nodes.map((node) => (node.role === "coordinator" ? 0 : node.drives.length));
  expect(driveCounts.reduce((sum, count) => sum + count)).toBe(driveCount);
  expect(vaultCapacityBytes(shapeOfFile(file))).toBeLessThanOrEqual(4 * 2 ** 30);
});

test("later starts keep everything except the ports for S3 and the ingest", async () => {
  const first = await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  const text = readFileSync(path, "utf8");
  await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  expect(readFileSync(path, "utf8")).toBe(text);
  const moved = await prepareVaultFile(path, { s3: 4700, ingest: 4695, isModelled: false });
  expect(findCoordinator(moved).s3.port).toBe(4700);
  const telemetry = { ingest: "http://127.0.0.1:4695", windowSeconds: 5 };
  expect({ ...moved, nodes: [] }).toEqual({ ...first, telemetry, nodes: [] });
  // Paths stay relative, so that the folder can be moved.
  expect(readFileSync(path, "utf8")).toBe(
    text.replace('"port": 4690', '"port": 4700').replace(":4685", ":4695"),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file of an earlier version gets keys and a token at the next start, and stays readable by its owner only", async () => {
  const ports = { s3: 4690, ingest: 4685 };
  const { admin, ...file } = await prepareVaultFile(path, { ...ports, isModelled: false });
  const { nodes } = JSON.parse(readFileSync(path, "utf8")) as VaultFile;
  const earlier = { ...file, nodes: nodes.map(({ publicKey, ...node }) => node) };
  for (const { id } of nodes) rmSync(join(folder, "vault", id), { recursive: true });
  rmSync(join(folder, "vault/admin.token"));
  writeFileSync(path, JSON.stringify(earlier), { mode: 0o644 });
  const upgraded = await prepareVaultFile(path, { ...ports, isModelled: false });
  expect(new Set(upgraded.nodes.map(({ publicKey }) => publicKey)).size).toBe(nodes.length);
  expect(upgraded.nodes.every(({ publicKey }) => publicKey?.length === 43)).toBe(true);
  const token = readFileSync(join(folder, "vault/admin.token"), "utf8");
  expect(token).toMatch(/^sla_/);
  expect(upgraded.admin?.tokenSha256).toBe(createHash("sha256").update(token.trim()).digest("hex"));
  expect(upgraded.admin?.tokenSha256).not.toBe(admin?.tokenSha256);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const secrets = upgraded.nodes.map(
    ({ stateFolder }) => statSync(join(stateFolder, "node.key")).mode & 0o777,
  );
  expect(secrets).toEqual(nodes.map(() => 0o600));
});

test("only starts with --modelled model drives, and nothing else in the file changes", async () => {
  await prepareVaultFile(path, { ...ports, isModelled: false });
  const text = readFileSync(path, "utf8");
  const { nodes } = await prepareVaultFile(path, { ...ports, isModelled: true });
  const models = nodes.flatMap((node) =>
    node.role === "coordinator" ? [] : node.drives.map(({ model }) => `${node.role} ${model}`),
  );
  expect(new Set(models)).toEqual(new Set(["pod seagate-exos-x16-16tb", "stash micron-7450-max-3.2tb"]));
  expect(models).toHaveLength(driveCount);
  await prepareVaultFile(path, { ...ports, isModelled: false });
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("a later start with a larger size makes the pods larger, and nothing else in the file changes", async () => {
  await prepareVaultFile(path, { ...ports, isModelled: false });
  const text = readFileSync(path, "utf8");
  const grown = await prepareVaultFile(path, { ...ports, isModelled: false, sizeBytes: 20e9 });
  expect(grown.podVolume).toEqual({ segmentBytes: 8_388_608, segmentCount: 108 });
  expect(readFileSync(path, "utf8")).toBe(text.replace('"segmentCount": 12', '"segmentCount": 108'));
  await prepareVaultFile(path, { ...ports, isModelled: false });
  expect(readFileSync(path, "utf8")).toBe(text.replace('"segmentCount": 12', '"segmentCount": 108'));
});

test("a smaller size or another scheme is refused with both values, before anything changes", async () => {
  await prepareVaultFile(path, { ...ports, isModelled: false, sizeBytes: 20e9, scheme: "17+3" });
  const text = readFileSync(path, "utf8");
  const refusals: [object, RegExp][] = [
    [{ sizeBytes: 10e9 }, /take 20GB and cannot shrink to 10GB/],
    [{ scheme: "16+4" }, /stores every object as 17\+3 and cannot become 16\+4/],
    [{ sizeBytes: 900e9 }, /can grow to [\d.]+GB, not to 900GB/],
  ];
  for (const [wanted, sentence] of refusals) {
    const refused = prepareVaultFile(path, { ...ports, isModelled: false, ...wanted });
    await expect(refused).rejects.toThrow(sentence);
  }
  expect(readFileSync(path, "utf8")).toBe(text);
});

test.each([
  ["17+3", 17, 11, 2],
  ["15+5", 15, 7, 3],
] as const)(
  "--scheme %s creates a vault of 20 pods whose stash survives the loss of one server",
  async (scheme, k, servers, perServer) => {
    const { nodes, ...file } = await prepareVaultFile(path, { ...ports, isModelled: false, scheme });
    expect(file.scheme).toEqual({ dataShardCount: k, parityShardCount: 20 - k });
    const stash = nodes.filter(({ role }) => role === "stash");
    expect(stash.map((node) => (node.role === "stash" ? node.drives.length : 0))).toEqual(
      Array.from({ length: servers }, () => perServer),
    );
    // A power cut may lose the shard of the slowest pod, and a dead server the shards of its drives.
    expect(19 - perServer).toBeGreaterThanOrEqual(k);
  },
);

test("a further vault is created like the first, with its own name, ids and ports, and keeps its unused port for S3", async () => {
  const first = await prepareVaultFile(path, {
    ...ports,
    isModelled: false,
    scheme: "17+3",
    sizeBytes: 20e9,
  });
  const behind = join(folder, "vault-2/vault.json");
  const wanted = { ...ports, s3: null, isModelled: false, earlier: [first] };
  const second = await prepareVaultFile(behind, wanted);
  expect([first.name, second.name]).toEqual(["local", "local-2"]);
  expect(second.clusterId).not.toBe(first.clusterId);
  expect(shapeOfFile(second)).toEqual(shapeOfFile(first));
  const sketch = ({ nodes }: VaultFile) =>
    nodes.map((node) => [node.id, node.role === "coordinator" ? 0 : node.drives.length]);
  expect(sketch(second)).toEqual(sketch(first));
  const portsIn = ({ nodes }: VaultFile) => nodes.flatMap(({ port, adminPort }) => [port, adminPort]);
  const all = [...portsIn(first), ...portsIn(second), 4690, findCoordinator(second).s3.port];
  expect(new Set(all).size).toBe(all.length);
  const text = readFileSync(behind, "utf8");
  await prepareVaultFile(behind, wanted);
  expect(readFileSync(behind, "utf8")).toBe(text);
});

test("an invalid file is left unchanged", async () => {
  await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  const broken = readFileSync(path, "utf8").replace('"epoch": 1', '"epoch": "one"');
  writeFileSync(path, broken);
  await expect(prepareVaultFile(path, { s3: 4700, ingest: 4695, isModelled: false })).rejects.toThrow(
    /epoch/,
  );
  expect(readFileSync(path, "utf8")).toBe(broken);
});

test("startup waits for a port until its last user must have ended, and names the port if it stays taken", async () => {
  const server = createServer();
  const place = await new Promise<{ host: string; port: number }>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve({ host: "127.0.0.1", port: (server.address() as { port: number }).port });
    });
  });
  expect(await findTakenPlace([place], 0)).toBe(place);
  const waiting = findTakenPlace([place], 10_000);
  server.close();
  expect(await waiting).toBeUndefined();
});
