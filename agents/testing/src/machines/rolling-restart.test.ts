/** The agents of a vault of several machines restart one after the other, and the clients do not notice. */
import { existsSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join as joinPath } from "node:path";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { loadVaultFile, type VaultNode } from "@stashlight/node-runtime/config";
import { askProcess, readAdminAccess } from "@stashlight/node-runtime/durability";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Balancer, startBalancer } from "../harness/balancer.ts";
import { Load, type ObservedRequest } from "../harness/load-clients.ts";
import { until } from "../harness/wait-until.ts";
import { Machines } from "./machines.ts";

const names = ["front", "front-2", "store-1", "store-2", "store-3"];
const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"];
const LONG_MS = 300_000;
/** Four clients meet every second of a restart dozens of times. */
const PAUSE_MS = 100;
/** Longer than a busy machine needs: a coordinator that is late is not a coordinator that is away. */
const READY_TIMEOUT_MS = 30_000;
const config = ["--config", "photos/vault.json"];
const rolling = ["vault", "restart", "--rolling", ...config, "--notice", "2"];

let machines: Machines;
let balancer: Balancer;
let client: S3Client;

const status = () => machines.say("vault", "status", ...config);
const readVault = () => loadVaultFile(joinPath(machines.root, "photos/vault.json"));

async function join(machine: string): Promise<void> {
  const folder = ["--folder", machines.folder(machine), "--no-start"];
  expect(await machines.say("vault", "join", machines.bundle(machine), ...folder)).toMatchObject({ code: 0 });
  await machines.run(machine);
}

function createPlainClient(endpoint: string): S3Client {
  const [key] = readVault().accessKeys;
  if (key === undefined) throw new Error("The vault has an access key.");
  return new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  });
}

/** Asks like a load balancer, without the vault's token or authority. */
function isReady({ host, adminPort: port }: VaultNode): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(
      { host, port, path: "/readyz", rejectUnauthorized: false, timeout: READY_TIMEOUT_MS },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    asked.once("error", () => resolve(false)).once("timeout", () => asked.destroy());
    asked.end();
  });
}

/** The present process of each node. */
async function readInstances(): Promise<Map<string, string>> {
  const file = readVault();
  const access = readAdminAccess(file);
  const answers = file.nodes.map(async (node): Promise<[string, string]> => {
    const answer = await askProcess(node, { access, timeoutMs: 10_000 });
    return [node.id, answer.type === "answered" ? answer.process.instance : answer.type];
  });
  return new Map(await Promise.all(answers));
}

beforeAll(async () => {
  machines = await Machines.make();
  machines.writeLayout("photos.yaml", addresses, { frontCount: 2, isPlain: true });
  expect(await machines.say("vault", "create", "photos.yaml", "--accept-weak")).toMatchObject({ code: 0 });
  for (const name of names) await join(name);
  const places = readVault().nodes.flatMap((node) =>
    node.role === "coordinator"
      ? [{ host: node.s3.host, port: node.s3.port, isReady: () => isReady(node) }]
      : [],
  );
  balancer = await startBalancer(places);
  client = createPlainClient(balancer.endpoint);
  await until("the vault accepts uploads", async () => (await status()).code === 0, LONG_MS, status);
  await until(
    "the load balancer has found both coordinators ready",
    () => balancer.countReady() === 2,
    LONG_MS,
  );
  await client.send(new CreateBucketCommand({ Bucket: "photos" }));
}, LONG_MS);
afterAll(async () => {
  client?.destroy();
  balancer?.close();
  await machines?.close();
});

test(
  "a rolling restart under load fails no request, even if the command is killed and run again",
  async () => {
    const requests: ObservedRequest[] = [];
    const observe = (seen: ObservedRequest) => void requests.push(seen);
    const load = new Load({ s3: client, bucket: "photos", concurrency: 4, pauseMs: PAUSE_MS, observe });
    const before = await readInstances();
    load.start();
    await load.progress(20);
    const note = joinPath(machines.root, "photos/rolling-restart.json");
    await machines.sayUntil(() => existsSync(note), ...rolling);
    const said = await machines.say(...rolling);
    expect(said).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^Continuing the restart of [^\n]*: [01] of 5 agents have been restarted\./,
      ),
    });
    expect(said.text).toMatch(/^5 of 5: store-3 is back after .*All pods hold all their shards/m);
    expect(existsSync(note)).toBe(false);
    await load.progress(20);
    await load.stop();
    expect(requests.filter(({ outcome }) => outcome !== "done")).toEqual([]);
    expect(requests.length).toBeGreaterThan(100);
    expect(await load.verify()).toEqual([]);
    const after = await readInstances();
    expect([...after].filter(([id, instance]) => instance === before.get(id))).toEqual([]);
    expect((await status()).code).toBe(0);
  },
  LONG_MS,
);

const auditLines = (machine: string): object[] =>
  machines
    .read(`${machine}/vault/nodes/${machine}.coordinator/audit.log`)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test(
  "coordinators are added and removed under load, with audit lines, and the last one cannot be removed",
  async () => {
    const requests: ObservedRequest[] = [];
    const observe = (seen: ObservedRequest) => void requests.push(seen);
    const load = new Load({ s3: client, bucket: "photos", concurrency: 2, prefix: "more-", observe });
    load.start();
    await load.progress(10);
    const description = joinPath(machines.root, "front-3.json");
    writeFileSync(description, JSON.stringify({ machine: "front-3", address: "127.0.0.7" }));
    const add = ["vault", "add-coordinator", description, ...config];
    expect(await machines.say(...add)).toMatchObject({
      code: 0,
      text: expect.stringContaining("Epoch 2 follows 1."),
    });
    expect(await machines.say(...add)).toMatchObject({
      code: 0,
      text: expect.not.stringContaining("follows"),
    });
    await join("front-3");
    await until(
      "the new coordinator is ready",
      async () => /^front-3\.coordinator +ready +3 of 3/m.test((await status()).text),
      LONG_MS,
      status,
    );
    const direct = createPlainClient(`http://127.0.0.7:${machines.s3Port}`);
    await direct.send(new PutObjectCommand({ Bucket: "photos", Key: "by-front-3", Body: "new" }));
    direct.destroy();
    const found = await client.send(new GetObjectCommand({ Bucket: "photos", Key: "by-front-3" }));
    expect(await found.Body?.transformToString()).toBe("new");

    for (const machine of ["front-3", "front-2"]) {
      const removed = await machines.say("vault", "remove", `${machine}.coordinator`, ...config);
      expect(removed).toMatchObject({
        code: 0,
        text: expect.stringMatching(/has sent its clients to other coordinators\.\nEpoch \d follows \d\./),
      });
      await load.progress(10);
    }
    await load.stop();
    expect(requests.filter(({ outcome }) => outcome !== "done")).toEqual([]);
    expect((await machines.say("vault", "remove", "front.coordinator", ...config)).text).toBe(
      "front.coordinator is the last node with the role coordinator.\n",
    );
    const lines = (action: string, nodeId: string, epoch: number) =>
      ["asked", "done"].map((result) =>
        expect.objectContaining({ action, nodeId, epoch, result, operator: expect.objectContaining({}) }),
      );
    const added = lines("coordinator.add", "front-3.coordinator", 2);
    const removed = lines("coordinator.remove", "front-3.coordinator", 3);
    expect(auditLines("front")).toEqual([
      ...added,
      ...removed,
      ...lines("coordinator.remove", "front-2.coordinator", 4),
    ]);
    expect(auditLines("front-2").slice(0, 4)).toEqual([...added, ...removed]);
    expect((await status()).code).toBe(0);
  },
  LONG_MS,
);

test(
  "a node whose restart would stop all uploads is skipped, unless --accept-weak is given",
  async () => {
    const weak = await machines.say(...rolling);
    expect(weak).toMatchObject({
      code: 3,
      text: expect.stringMatching(
        /^! Restarting front \(front\.coordinator\) would stop all uploads: it runs the only coordinator.* It is not restarted/m,
      ),
    });
    expect(weak.text).toMatch(/^3 of 4: store-3 is back/m);
    const before = await readInstances();
    const accepted = await machines.say(...rolling, "--accept-weak");
    expect(accepted).toMatchObject({ code: 0, text: expect.stringMatching(/: 3 of 4 agents have been/) });
    const after = await readInstances();
    const restarted = [...after].filter(([id, instance]) => instance !== before.get(id));
    expect(restarted.map(([id]) => id)).toEqual(["front.coordinator"]);
  },
  LONG_MS,
);
