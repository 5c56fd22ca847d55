import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localVaultBytes, podCount, stashDeviceCount } from "./geometry.ts";
import { findTakenPlace } from "./ports.ts";
import { coordinatorOf, prepareVaultFile } from "./vault-file.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-vault-file-"));
  path = join(folder, "vault/vault.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the first start makes a vault that fits into 4 GiB, with a file that only its owner reads", async () => {
  const file = await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(coordinatorOf(file).s3).toEqual({ host: "127.0.0.1", port: 4690, region: "us-east-1" });
  const driveCounts = file.nodes.map((node) => (node.role === "coordinator" ? 0 : node.drives.length));
  expect(driveCounts.reduce((sum, count) => sum + count)).toBe(podCount + stashDeviceCount);
  const { podVolume, stashVolume } = file;
  const bytes =
    podCount * podVolume.segmentBytes * podVolume.segmentCount +
    stashDeviceCount * stashVolume.segmentBytes * stashVolume.segmentCount;
  expect(bytes).toBe(localVaultBytes);
  expect(bytes).toBeLessThanOrEqual(4 * 2 ** 30);
});

test("later starts keep everything but the ports for S3 and the ingest", async () => {
  const first = await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  const text = readFileSync(path, "utf8");
  await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  expect(readFileSync(path, "utf8")).toBe(text);
  const moved = await prepareVaultFile(path, { s3: 4700, ingest: 4695, isModelled: false });
  expect(coordinatorOf(moved).s3.port).toBe(4700);
  const telemetry = { ingest: "http://127.0.0.1:4695", windowSeconds: 5 };
  expect({ ...moved, nodes: [] }).toEqual({ ...first, telemetry, nodes: [] });
  // Paths are still relative, so that the folder can be moved.
  expect(readFileSync(path, "utf8")).toBe(
    text.replace('"port": 4690', '"port": 4700').replace(":4685", ":4695"),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("drives are modelled at the starts that ask for it, and nothing else of the file changes", async () => {
  const ports = { s3: 4690, ingest: 4685 };
  await prepareVaultFile(path, { ...ports, isModelled: false });
  const text = readFileSync(path, "utf8");
  const { nodes } = await prepareVaultFile(path, { ...ports, isModelled: true });
  const models = nodes.flatMap((node) =>
    node.role === "coordinator" ? [] : node.drives.map(({ model }) => `${node.role} ${model}`),
  );
  expect(new Set(models)).toEqual(new Set(["pod seagate-exos-x16-16tb", "stash micron-7450-max-3.2tb"]));
  expect(models).toHaveLength(podCount + stashDeviceCount);
  await prepareVaultFile(path, { ...ports, isModelled: false });
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("a file that is not right is left alone", async () => {
  await prepareVaultFile(path, { s3: 4690, ingest: 4685, isModelled: false });
  const broken = readFileSync(path, "utf8").replace('"epoch": 1', '"epoch": "one"');
  writeFileSync(path, broken);
  await expect(prepareVaultFile(path, { s3: 4700, ingest: 4695, isModelled: false })).rejects.toThrow(
    /epoch/,
  );
  expect(readFileSync(path, "utf8")).toBe(broken);
});

test("a place is waited for as long as its last user may take to end, and named when it stays taken", async () => {
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
