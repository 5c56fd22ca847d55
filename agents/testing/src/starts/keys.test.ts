/** Nodes are identified by their keys, and clients of admin pages by a token, with real processes. */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { nodeKeyPath, provideKeys, type VaultFile, writeVaultFile } from "@stashlight/node-runtime/config";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AgentProcess } from "../harness/agent-process.ts";
import { askAdmin } from "../harness/health.ts";
import { startTestVault, type TestVault } from "../harness/vault.ts";
import { until } from "../harness/wait-until.ts";

let vault: TestVault;

beforeAll(async () => {
  vault = await startTestVault({ processes: "one a node" });
}, 90_000);
afterAll(() => vault.close());

const findNodePorts = (nodeId: string) => {
  const node = vault.file.nodes.find(({ id }) => id === nodeId);
  if (node === undefined) throw new Error(`The vault has no node ${nodeId}.`);
  return node;
};

async function refusedCount(nodeId: string, reason: string): Promise<number> {
  const text = (await vault.askAdmin(nodeId, "/metrics"))?.text ?? "";
  const found = new RegExp(`^stashlight_transport_refused_total\\{reason="${reason}"\\} (\\d+)$`, "m").exec(
    text,
  );
  return Number(found?.[1] ?? 0);
}

test("without the token every node reports only that it is alive and ready", async () => {
  for (const nodeId of vault.nodeIds) {
    const { adminPort } = findNodePorts(nodeId);
    expect(await askAdmin(adminPort, "/healthz")).toEqual({ status: 200, text: '{"isAlive":true}\n' });
    expect(await askAdmin(adminPort, "/readyz")).toEqual({ status: 200, text: '{"isReady":true}\n' });
    for (const page of ["/metrics", "/uploads?bucket=b&key=k", "/pieces?bucket=b&key=k", "/traces"]) {
      expect((await askAdmin(adminPort, page))?.status).toBe(401);
    }
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ address: "p0", fault: "eio" });
    const answer = await askAdmin(adminPort, "/drill/faults", { method: "POST", headers, body });
    expect(answer?.status).toBe(401);
    expect((await vault.askAdmin(nodeId, "/metrics"))?.text).toMatch(/^stashlight_admin_refused_total 5$/m);
  }
});

test("no node accepts a pod with an unknown key, and the pod works again with its own key", async () => {
  await vault.kill(["pod-3"]);
  const file = JSON.parse(readFileSync(vault.configPath, "utf8")) as VaultFile;
  const keyFile = nodeKeyPath({ stateFolder: join(vault.folder, "pod-3/state") });
  copyFileSync(keyFile, `${keyFile}.kept`);
  rmSync(keyFile);
  // The impostor has the vault's file and its own private key.
  const stolen = join(vault.folder, "stolen.json");
  writeVaultFile(stolen, file);
  provideKeys(stolen, { areAllHere: true });
  const impostor = new AgentProcess({
    args: ["--config", stolen, "--node", "pod-3"],
    isSupervised: true,
  });
  try {
    const called = ["coordinator-1", "stash-1", "stash-2", "stash-3"];
    for (const nodeId of called) {
      await until(
        `${nodeId} refuses the impostor`,
        async () => (await refusedCount(nodeId, "notProved")) > 0,
        60_000,
      );
      expect((await vault.health(nodeId))?.connectedNodeIds).not.toContain("pod-3");
    }
  } finally {
    await impostor.end("SIGKILL");
  }
  copyFileSync(`${keyFile}.kept`, keyFile);
  vault.start(["pod-3"]);
  await vault.ready(["pod-3"]);
}, 120_000);

test("a process that takes the port of a stash node gets only hellos and refusals", async () => {
  await vault.kill(["stash-1"]);
  const { host, port } = findNodePorts("stash-1");
  const heard: Buffer[] = [];
  let callCount = 0;
  const server = createServer((socket) => {
    callCount += 1;
    socket.on("data", (bytes) => heard.push(bytes));
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  try {
    await until("all pods have connected", () => callCount >= 3, 60_000);
    // A header is two bytes of magic and the type: first a hello, and after the timeout a refusal.
    const types = new Set(heard.map((bytes) => bytes[2]));
    expect([...types].filter((type) => type !== 1 && type !== 3)).toEqual([]);
  } finally {
    server.close();
  }
}, 90_000);

test("a vault of an earlier version starts once it has keys", async () => {
  const folder = join(vault.folder, "earlier");
  mkdirSync(folder);
  const path = join(folder, "vault.json");
  writeVaultFile(path, vault.file);
  const start = () => {
    return new AgentProcess({
      args: ["--config", path, "--node", "stash-1", "--format"],
      isSupervised: false,
    });
  };
  const refused = start();
  expect(await refused.exitCode()).toBe(2);
  expect(refused.errorOutput).toMatch(
    /^The vault's file has no public key of the node stash-1; .* vault keys .*\.\n$/,
  );
  provideKeys(path, { areAllHere: true });
  const started = start();
  const { adminPort } = findNodePorts("stash-1");
  await until("it is alive", async () => (await askAdmin(adminPort, "/healthz"))?.status === 200, 60_000);
  expect(await started.end("SIGTERM")).toBe(0);
}, 90_000);
