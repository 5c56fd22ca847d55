/** For tests: an ingest on a separate database, in this process or another one, and nodes enrolled with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { type AddressInfo, BlockList, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createEnrolmentTokenInput } from "@stashlight/contracts/node";
import { compileCacheEnvironment } from "@stashlight/contracts/process";
import { acceptBatches } from "@stashlight/services/metrics/ingest";
import { createEnrolmentToken } from "@stashlight/services/node";
import { openTestInstallation, type Person, type TestInstallation } from "@stashlight/services/testing";
import {
  type Batch,
  type EnrolledIdentity,
  ExponentialHistogram,
  encodeBatch,
  enrol,
  type PostResult,
  postBatch,
} from "@stashlight/telemetry";
import { afterAll } from "vitest";
import { defaultLimits, type Limits } from "../limits.ts";
import { createIngestServer } from "../server.ts";

export interface TestIngest {
  installation: TestInstallation;
  admin: Person;
  origin: string;
  /** Failures of the ingest itself. */
  errors: unknown[];
  close(): Promise<void>;
}

export async function openTestIngest(limits: Partial<Limits> = {}): Promise<TestIngest> {
  const installation = await openTestInstallation();
  const { platform } = installation;
  const errors: unknown[] = [];
  const ingest = createIngestServer({
    platform,
    control: platform,
    limits: { ...defaultLimits, ...limits },
    trustedProxies: new BlockList(),
    accept: (batches) =>
      acceptBatches({ client: platform.metrics, batches, nowMs: platform.now().getTime() }),
    onError: (error) => errors.push(error),
  });
  ingest.server.listen(0, "127.0.0.1");
  await once(ingest.server, "listening");
  return {
    installation,
    admin: await installation.person("admin"),
    origin: `http://127.0.0.1:${(ingest.server.address() as AddressInfo).port}`,
    errors,
    close: async () => {
      await ingest.stop();
      await installation.close();
    },
  };
}

/** Provides an ingest for all tests of a file. */
export async function useTestIngest(limits: Partial<Limits> = {}): Promise<TestIngest> {
  const ingest = await openTestIngest(limits);
  afterAll(() => ingest.close());
  return ingest;
}

/** Enrols a node through the endpoint that agents use. */
export async function enrolTestNode(
  { admin, origin }: Pick<TestIngest, "admin" | "origin">,
  name: string,
  terms: Record<string, unknown> = { isAutoApproved: true },
): Promise<EnrolledIdentity> {
  const input = createEnrolmentTokenInput.parse({ vault: "main", role: "pod", ...terms });
  const { token } = await createEnrolmentToken({ ctx: admin.ctx, input });
  const identity = { name, role: input.role, agentVersion: "1.2.3" };
  const result = await enrol({ origin, timeoutMs: 5000 }, token, identity);
  if (result.type !== "enrolled") throw new Error(result.reason);
  return result.identity;
}

/** Sync measurements of a drive in the ten seconds up to `endMs`. */
export function makeBatch(
  node: EnrolledIdentity,
  sequence: number,
  endMs: number,
  gauges: Batch["window"]["gauges"] = [],
): Batch {
  const histogram = new ExponentialHistogram();
  for (const value of [0.001, 0.002, 0.004]) histogram.record(value);
  const labels = { tier: "pod", device: "h1" };
  return {
    nodeId: node.nodeId,
    bootId: 7,
    sequence,
    window: {
      startMs: endMs - 10_000,
      endMs,
      histograms: [{ metric: "stashlight_fsync_seconds", labels, histogram }],
      counters: [{ metric: "stashlight_fsync_errors_total", labels, total: 2, increase: 1 }],
      gauges: [
        { metric: "stashlight_agent_spool_bytes", labels: {}, value: 4096 },
        { metric: "stashlight_agent_info", labels: { tier: "pod", version: "1.2.4" }, value: 1 },
        ...gauges,
      ],
    },
    gaps: [],
  };
}

export function post(origin: string, key: string, batch: Batch): Promise<PostResult> {
  const options = { origin, key: () => key, timeoutMs: 10_000, nowMs: () => Date.now() };
  return postBatch(options, encodeBatch(batch));
}

export interface RawAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

/** Sends a request as a client other than our agents would. */
export function send(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string | number> = {},
  body?: Uint8Array,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, origin), { method, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

export interface IngestProcess {
  child: ChildProcess;
  /** Resolves to its exit code; null if it was killed. */
  ended: Promise<number | null>;
  origin: string;
}

export async function startIngestProcess(
  { platform }: Pick<TestInstallation, "platform">,
  {
    databaseUrl = platform.options.databaseUrl,
    port: wantedPort = 0,
    nodeArguments = [],
  }: { databaseUrl?: string; port?: number; nodeArguments?: readonly string[] } = {},
): Promise<IngestProcess> {
  const port = wantedPort || (await freePort());
  const child = spawn(process.execPath, [...nodeArguments, join(import.meta.dirname, "../main.ts")], {
    env: {
      PATH: process.env.PATH,
      ...compileCacheEnvironment(),
      DATABASE_URL: databaseUrl,
      STASHLIGHT_SECRET: platform.options.secret,
      STASHLIGHT_PUBLIC_URL: platform.options.publicUrl,
      STASHLIGHT_INGEST_PORT: String(port),
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const [report] = await once(child, "message");
  if (report.type !== "ready") throw new Error(report.message);
  return { child, ended, origin: `http://127.0.0.1:${port}` };
}

export interface DatabaseLine {
  /** The database as reached over this link. */
  url: string;
  cut(): Promise<void>;
}

/** A link to a database that can be cut, as if the database's machine were unreachable. */
export async function openDatabaseLine(databaseUrl: string, linePort = 0): Promise<DatabaseLine> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  server.listen(linePort, "127.0.0.1");
  await once(server, "listening");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const cut = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { url: url.href, cut };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
