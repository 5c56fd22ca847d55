import type { EnrolledIdentity } from "@stashlight/telemetry";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  enrolTestNode,
  type IngestProcess,
  makeBatch,
  openDatabaseLine,
  openTestIngest,
  post,
  send,
  startIngestProcess,
  type TestIngest,
} from "./testing/harness.ts";

let ingest: TestIngest;
let started: IngestProcess[];

beforeEach(async () => {
  started = [];
  ingest = await openTestIngest();
});
afterEach(async () => {
  for (const { child } of started) child.kill("SIGKILL");
  await Promise.all(started.map(({ ended }) => ended));
  await ingest.close();
});

async function start(databaseUrl?: string): Promise<IngestProcess> {
  const process = await startIngestProcess(ingest.installation, { ...(databaseUrl && { databaseUrl }) });
  started.push(process);
  return process;
}

const totals = async () => {
  const { rows } = await ingest.installation.platform.metrics.query(
    `SELECT (SELECT count(*)::int FROM metric.hist_raw) AS windows,
            (SELECT sum(n)::int FROM metric.hist_raw) AS samples,
            (SELECT count(*)::int FROM metric.sample_raw) AS rows`,
  );
  return rows[0];
};

async function makeBatches(nodes: readonly EnrolledIdentity[], countEach: number) {
  const endMs = Date.now() - countEach * 10_000;
  return nodes.flatMap((node) =>
    Array.from({ length: countEach }, (_, at) => ({
      node,
      batch: makeBatch(node, at + 1, endMs + at * 10_000),
    })),
  );
}

test("an ingest that is killed during a commit loses no batch that it acknowledged, and counts none twice when all are sent again", async () => {
  const nodes = await Promise.all([1, 2, 3, 4].map((at) => enrolTestNode(ingest, `pod-${at}`)));
  const batches = await makeBatches(nodes, 30);
  const first = await start();
  let answered = 0;
  const early = await Promise.all(
    batches.map(async ({ node, batch }) => {
      const { type } = await post(first.origin, node.key, batch);
      if (type === "accepted") answered += 1;
      // Kills it while some batches are answered, some are being committed, and some are still unread.
      if (answered === 20) first.child.kill("SIGKILL");
      return type;
    }),
  );
  expect(await first.ended).toBeNull();
  expect(early.filter((type) => type === "accepted").length).toBeGreaterThanOrEqual(20);
  expect((await totals()).windows).toBeGreaterThanOrEqual(answered);

  const [second, third] = await Promise.all([start(), start()]);
  const again = await Promise.all(
    batches.map(({ node, batch }, at) => post((at % 2 ? second : third).origin, node.key, batch)),
  );
  expect(new Set(again.map(({ type }) => type))).toEqual(new Set(["accepted"]));
  const count = batches.length;
  expect(await totals()).toEqual({ windows: count, samples: 3 * count, rows: count });
});

test("an ingest that is stopped exits with 0, with every accepted batch stored", async () => {
  const nodes = [await enrolTestNode(ingest, "pod-1")];
  const batches = await makeBatches(nodes, 20);
  const { child, ended, origin } = await start();
  const answers = Promise.all(batches.map(({ node, batch }) => post(origin, node.key, batch)));
  await answers.then(() => child.disconnect());
  expect(await ended).toBe(0);
  expect((await answers).filter(({ type }) => type === "accepted")).toHaveLength(20);
  expect(await totals()).toMatchObject({ windows: 20 });
});

test("the sender of a batch is asked to retry while there is no partition for its time", async () => {
  const node = await enrolTestNode(ingest, "pod-1");
  const { clock, platform } = ingest.installation;
  clock.advance(20 * 86_400_000);
  const batch = makeBatch(node, 1, clock.now().getTime());
  expect(await post(ingest.origin, node.key, batch)).toEqual({ type: "again", afterMs: 5000 });
  await platform.metrics.query("SELECT metric.ensure_partitions($1)", [clock.now()]);
  expect(await post(ingest.origin, node.key, batch)).toMatchObject({ type: "accepted" });
});

test("while the database is unreachable the ingest is not ready and asks for retries, and it continues when the database is back", async () => {
  const node = await enrolTestNode(ingest, "pod-1");
  const { runtimeUrl } = ingest.installation.database;
  const line = await openDatabaseLine(runtimeUrl);
  const { origin } = await start(line.url);
  const batch = makeBatch(node, 1, Date.now());
  expect(await post(origin, node.key, batch)).toMatchObject({ type: "accepted" });
  expect((await send(origin, "GET", "/readyz")).status).toBe(200);
  await line.cut();
  const late = makeBatch(node, 2, Date.now());
  expect(await post(origin, node.key, late)).toMatchObject({ type: "again" });
  expect((await send(origin, "GET", "/readyz")).status).toBe(503);
  expect((await send(origin, "GET", "/healthz")).status).toBe(200);
  const back = await openDatabaseLine(runtimeUrl, Number(new URL(line.url).port));
  await vi.waitFor(async () => {
    expect(await post(origin, node.key, late)).toMatchObject({ type: "accepted" });
  });
  expect((await totals()).windows).toBe(2);
  await back.cut();
});
