import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type IngestProcess,
  openTestIngest,
  startIngestProcess,
  type TestIngest,
} from "./testing/harness.ts";
import { type PodAgent, startPodAgent } from "./testing/pod-agent.ts";

const LONG_MS = 120_000;
/** The agent doubles its delay; after this many windows it retries less often than once a second. */
const WINDOWS_OFFLINE = 6;
const patience = { timeout: 60_000, interval: 200 };

let ingest: TestIngest;
let agent: PodAgent | null = null;
const started: IngestProcess[] = [];

beforeEach(async () => {
  ingest = await openTestIngest();
});
afterEach(async () => {
  await agent?.remove();
  for (const { child } of started) child.kill("SIGKILL");
  await Promise.all(started.splice(0).map(({ ended }) => ended));
  await ingest.close();
}, LONG_MS);

async function start(port = 0): Promise<IngestProcess> {
  const process = await startIngestProcess(ingest.installation, { port });
  started.push(process);
  return process;
}

interface Arrival {
  readonly sequence: number;
  readonly endMs: number;
}

/** Stored batches in the order of their commits. */
async function arrivals(): Promise<Arrival[]> {
  const { rows } = await ingest.installation.platform.metrics.query<{ sequence: string; ts: Date }>(
    "SELECT sequence, ts FROM metric.batch_seen ORDER BY xmin::text::bigint, sequence",
  );
  return rows.map(({ sequence, ts }) => ({ sequence: Number(sequence), endMs: ts.getTime() }));
}

/** Returns the database sessions of running ingests, and of killed ones whose last statement runs. */
async function ingestSessions() {
  const { rows } = await ingest.installation.platform.metrics.query(
    `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'stashlight-ingest%'`,
  );
  return rows;
}

/** Reads the end and the length of each stored window. */
async function windows() {
  const { rows } = await ingest.installation.platform.metrics.query<{ ts: Date; span_ms: number }>(
    "SELECT ts, span_ms FROM metric.sample_raw ORDER BY ts",
  );
  return rows.map(({ ts, span_ms: spanMs }) => ({ endMs: ts.getTime(), spanMs }));
}

test(
  "an agent whose ingest is down for some windows delivers each of them once, first the newest and then from the oldest",
  async () => {
    const first = await start();
    const pod = await startPodAgent(ingest, first.origin);
    agent = pod;
    await vi.waitFor(async () => expect((await arrivals()).length).toBeGreaterThan(2), patience);

    expect(await ingestSessions()).not.toEqual([]);
    first.child.kill("SIGKILL");
    await first.ended;
    const spooled = new Set<number>();
    await vi.waitFor(async () => {
      const bytes = await pod.told("stashlight_agent_spool_bytes");
      if (bytes) spooled.add(bytes);
      expect(spooled.size).toBeGreaterThanOrEqual(WINDOWS_OFFLINE);
    }, patience);

    // Postgres may commit a batch after the ingest that sent it was killed; the agent has that one in its spool as well.
    await vi.waitFor(async () => expect(await ingestSessions()).toEqual([]), patience);
    const before = await arrivals();
    await start(Number(new URL(first.origin).port));
    const replayed = () => pod.told("stashlight_agent_batches_replayed_total");
    await vi.waitFor(async () => {
      expect(await replayed()).toBeGreaterThanOrEqual(WINDOWS_OFFLINE);
      expect(await pod.told("stashlight_agent_spool_bytes")).toBe(0);
    }, patience);
    await pod.stop();

    const all = await arrivals();
    const sequences = all.map(({ sequence }) => sequence).sort((a, b) => a - b);
    expect(sequences).toEqual(sequences.map((_, at) => at + 1));
    const [firstBack, ...later] = all.slice(before.length);
    expect(firstBack?.sequence).toBeGreaterThanOrEqual(before.length + WINDOWS_OFFLINE - 1);
    expect(later[0]?.sequence).toBe(before.length + 1);

    // Each window begins where the one before it ended, so none is missing and none was stored twice.
    const stored = await windows();
    expect(stored).toHaveLength(all.length);
    const seams = stored.slice(1).map(({ endMs, spanMs }, at) => endMs - spanMs - (stored[at]?.endMs ?? 0));
    expect(new Set(seams)).toEqual(new Set([0]));
    const { rows: gaps } = await ingest.installation.platform.metrics.query("SELECT * FROM metric.gap");
    expect(gaps).toEqual([]);
  },
  LONG_MS,
);
