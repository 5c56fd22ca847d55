/**
 * Simulates a client's machine: runs a test's load and queries nodes, on the network of the namespace in which it is
 * started. `station.ts SETTINGS`, with a channel to its parent.
 */
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { loadVaultFile } from "@stashlight/node-runtime/config";
import { askAdmin, readAdminAccess } from "@stashlight/node-runtime/durability";
import { S3Client } from "../../harness/client.ts";
import { Load, type ObservedRequest } from "../../harness/load-clients.ts";
import { retryWhileUnavailable } from "../../harness/retry-requests.ts";

export interface StationSettings {
  readonly configPath: string;
  /** Coordinator that the client uses. */
  readonly coordinatorId: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly concurrency: number;
  /** Longer than any answer of the vault may take. */
  readonly patienceMs: number;
}

/** Times use the clock that all processes of a machine share. */
export type StationRequest =
  | { readonly type: "prepare" | "start" | "stop" | "verify" | "acknowledgedCount" | "requests" }
  | { readonly type: "admin"; readonly nodeId: string; readonly path: string };

export interface StationAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as StationSettings;
const file = loadVaultFile(settings.configPath);
const access = readAdminAccess(file);
const coordinator = file.nodes.find(({ id }) => id === settings.coordinatorId);
if (coordinator?.role !== "coordinator") throw new Error(`${settings.coordinatorId} is not a coordinator.`);
const [key] = file.accessKeys;
if (key === undefined || file.ca === undefined) throw new Error("The vault has no key or no authority.");

const CONNECT_WITHIN_MS = 3000;
/** Without a pause, the requests of twenty shards each would take all processor time. */
const PAUSE_MS = 300;
/** Few, because all keys are read back after each fault. */
const KEYS_PER_CLIENT = 10;
const s3 = new S3Client({
  endpoint: `https://${coordinator.s3.host}:${coordinator.s3.port}`,
  region: "us-east-1",
  forcePathStyle: true,
  maxAttempts: 1,
  credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  requestHandler: {
    connectionTimeout: CONNECT_WITHIN_MS,
    requestTimeout: settings.patienceMs,
    throwOnRequestTimeout: true,
    // The certificate names the node, not its address.
    httpsAgent: new Agent({ ca: readFileSync(file.ca), servername: coordinator.id, keepAlive: true }),
  },
});
const requests: ObservedRequest[] = [];
const sharedClockMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
const { bucket, prefix, concurrency } = settings;
const load = new Load({
  s3,
  bucket,
  prefix,
  concurrency,
  keysPerClient: KEYS_PER_CLIENT,
  pauseMs: PAUSE_MS,
  observe: ({ startedMs, endedMs, ...request }) =>
    requests.push({ ...request, startedMs: startedMs + sharedClockMs, endedMs: endedMs + sharedClockMs }),
});

async function createBucket(): Promise<void> {
  try {
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  } catch (error) {
    // An earlier attempt was answered 503 but took effect.
    if ((error as Error).name !== "BucketAlreadyOwnedByYou") throw error;
  }
}

async function answer(request: StationRequest): Promise<unknown> {
  switch (request.type) {
    case "prepare":
      await retryWhileUnavailable("the bucket is created", createBucket);
      return null;
    case "start":
      load.start();
      return null;
    case "stop":
      await load.stop();
      return null;
    case "verify":
      return await load.verify();
    case "acknowledgedCount":
      return load.ledger.acknowledgedCount;
    case "requests":
      return requests.splice(0);
    case "admin": {
      const node = file.nodes.find(({ id }) => id === request.nodeId);
      if (node === undefined) throw new Error(`There is no node ${request.nodeId}.`);
      const asked = await askAdmin(node, request.path, { access, timeoutMs: 1500 });
      return asked.type === "answered" ? asked : null;
    }
  }
}

process.on("message", ({ id, request }: { id: number; request: StationRequest }) => {
  answer(request).then(
    (value) => process.send?.({ id, value } satisfies StationAnswer),
    (error: Error) => process.send?.({ id, error: error.stack ?? error.message } satisfies StationAnswer),
  );
});
process.on("disconnect", () => process.exit(0));
