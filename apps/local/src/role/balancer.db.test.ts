/** Runs the documented load balancer in front of two processes, and kills one of them. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openTestInstallation, type TestInstallation } from "@stashlight/services/testing";
import { type EnrolledIdentity, postBatch } from "@stashlight/telemetry";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { freePort, kill, killAll, projectDirectory, start } from "./testing/role-processes.ts";
import { enrolNodes, makeEncodedBatch, WINDOW_MS } from "./testing/small-nodes.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const NODES = 4;
const CONFIGURATION = join(projectDirectory, "docs/load-balancer/haproxy.cfg");
/** Answers that each client receives before the kill, and again after it. */
const ANSWERS = 25;

const absent = ["haproxy", "openssl"].filter((name) => spawnSync(name, ["-v"]).error !== undefined);
if (absent.length > 0) {
  console.warn(
    `SKIPPED: ${absent.join(" and ")} is not on this machine; install it to see that ${CONFIGURATION} works.`,
  );
}

let installation: TestInstallation;
let folder: string;
let balancer: ChildProcess | undefined;

beforeEach(async () => {
  installation = await openTestInstallation({ kind: "worker", now: () => new Date() });
  folder = await mkdtemp(join(tmpdir(), "stashlight-balancer-"));
});
afterEach(async () => {
  if (balancer?.exitCode === null) {
    const ended = once(balancer, "exit");
    balancer.kill("SIGKILL");
    await ended;
  }
  await killAll();
  await installation.close();
  await rm(folder, { recursive: true, force: true });
});

interface Balancer {
  readonly console: string;
  readonly ingest: string;
  readonly ca: string;
}

/** The documented configuration with other addresses and another certificate path. */
async function startBalancer(ports: readonly [number, number]): Promise<Balancer> {
  const pem = join(folder, "stashlight.pem");
  const key = join(folder, "key.pem");
  const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  execFileSync("openssl", ["req", ...made, ...names, "-keyout", key, "-out", pem], { stdio: "pipe" });
  const ca = await readFile(pem, "utf8");
  await writeFile(pem, `${ca}${await readFile(key, "utf8")}`);
  const port = await freePort();
  const written = await readFile(CONFIGURATION, "utf8");
  const adapted = written
    .replace("bind :443", `bind 127.0.0.1:${port}`)
    .replace("-i ingest.example.org", "-i localhost")
    .replaceAll("/etc/haproxy/stashlight.pem", pem)
    // Two ingests instead of consoles, which would have to be built: both answer GET /readyz.
    .replaceAll(/192\.0\.2\.11:\d+/g, `127.0.0.1:${ports[0]}`)
    .replaceAll(/192\.0\.2\.12:\d+/g, `127.0.0.1:${ports[1]}`);
  expect(adapted).not.toMatch(/192\.0\.2\.|bind :|\/etc\/|example/);
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, adapted);
  balancer = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  const started = { console: `https://127.0.0.1:${port}`, ingest: `https://localhost:${port}`, ca };
  const answers = () => Promise.all([isAnswered(started.console, ca), isAnswered(started.ingest, ca)]);
  await vi.waitFor(async () => expect(await answers()).toEqual([true, true]), { timeout: 60_000 });
  return started;
}

const isAnswered = (origin: string, ca: string): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request(`${origin}/readyz`, { ca, timeout: 10_000 }, (response) => {
      response.resume().once("close", () => resolve(response.statusCode === 200 && response.complete));
    });
    sent.once("timeout", () => sent.destroy()).once("error", () => resolve(false));
    sent.end();
  });

/** A client that polls, and the time of each answer. */
interface Client {
  readonly answeredMs: number[];
  failedCount: number;
}

async function askAlways(isOver: AbortSignal, ask: () => Promise<boolean>, client: Client): Promise<void> {
  while (!isOver.aborted) {
    if (await ask()) client.answeredMs.push(performance.now());
    else client.failedCount += 1;
    await delay(10);
  }
}

function makeBatches({ nodeId, key }: EnrolledIdentity, { ingest: origin, ca }: Balancer) {
  const firstEndMs = Math.floor(Date.now() / WINDOW_MS) * WINDOW_MS - 3 * 3_600_000;
  let sequence = 1;
  return async (): Promise<boolean> => {
    const settings = { origin, ca, key: () => key, timeoutMs: 10_000, nowMs: Date.now };
    const result = await postBatch(
      settings,
      makeEncodedBatch(nodeId, 7, sequence, firstEndMs + sequence * WINDOW_MS),
    );
    if (result.type === "refused") throw new Error(result.reason);
    if (result.type !== "accepted") return false;
    sequence += 1;
    return true;
  };
}

const longestPauseMs = ({ answeredMs }: Client): number =>
  answeredMs.reduce((longest, ms, i) => Math.max(longest, ms - (answeredMs[i - 1] ?? ms)), 0);

test.skipIf(absent.length > 0)(
  "answers continue behind the documented load balancer after one of two processes is killed",
  async () => {
    const ports = [await freePort(), await freePort()] as const;
    const [one, other] = await Promise.all(ports.map((port) => start(installation, "ingest", port)));
    if (one === undefined || other === undefined) throw new Error("Two ingests are needed.");
    const behind = await startBalancer(ports);
    const nodes = await enrolNodes(installation, one.origin, NODES);
    const asks = [
      ...nodes.map((node) => makeBatches(node, behind)),
      ...[0, 1].map(() => () => isAnswered(behind.console, behind.ca)),
    ];
    const clients = asks.map((): Client => ({ answeredMs: [], failedCount: 0 }));
    const over = new AbortController();
    const asking = Promise.all(
      asks.map((ask, i) => askAlways(over.signal, ask, clients[i] ?? { answeredMs: [], failedCount: 0 })),
    );
    const answeredSince = (sinceMs: number) =>
      vi.waitFor(
        () => {
          for (const { answeredMs } of clients) {
            expect(answeredMs.filter((ms) => ms > sinceMs).length).toBeGreaterThanOrEqual(ANSWERS);
          }
        },
        { timeout: 90_000, interval: 20 },
      );
    await answeredSince(0);
    const failedBefore = clients.reduce((sum, { failedCount }) => sum + failedCount, 0);
    const killedMs = performance.now();
    await kill(one.child);
    await answeredSince(killedMs);
    over.abort();
    await asking;
    const failed = clients.reduce((sum, { failedCount }) => sum + failedCount, 0) - failedBefore;
    const pauseMs = Math.max(...clients.map(longestPauseMs));
    console.log(`MEASURED: one of two processes behind HAProxy killed: the longest that a client waited for an answer
      was ${(pauseMs / 1000).toFixed(2)} s (target 5 s), ${failed} requests failed`);
    const { rows } = await installation.platform.metrics.query(
      "SELECT node_id, count(*)::int AS batches FROM metric.batch_seen GROUP BY node_id",
    );
    const stored = new Map(rows.map(({ node_id, batches }) => [node_id, batches]));
    for (const [i, { nodeId }] of nodes.entries()) {
      expect(stored.get(nodeId)).toBe(clients[i]?.answeredMs.length);
    }
  },
);
