/** Tests alerts without current values: their node is silent, or too few samples arrived. */
import { expect, test } from "vitest";
import { newId } from "../ids.ts";
import { accept } from "../testing/index.ts";
import { useAlertTestBed, used } from "./testing/test-bed.ts";

const bed = useAlertTestBed();

/** Sets up an ingest that has listened for an hour, and a node that last reported this long ago. */
async function fallSilent(seconds: number): Promise<void> {
  const { db } = bed.installation.platform;
  const ago = (each: number) => new Date(bed.nowMs() - 1000 * each);
  await db.processHeartbeat.deleteMany();
  await db.processHeartbeat.create({
    data: {
      id: newId(),
      kind: "ingest",
      host: "h",
      pid: 1,
      version: "1",
      rssBytes: 1n,
      startedAt: ago(3600),
      seenAt: ago(1),
      steadySince: ago(3600),
    },
  });
  await db.node.updateMany({ data: { lastSeenAt: ago(seconds) } });
}

test("an alert of a silent node has no current value, before and after it is evaluated again", async () => {
  await bed.createRule({ forSeconds: 0 });
  await bed.evaluateNext(0.95);
  expect(await bed.firing()).toMatchObject([{ hasValue: true, summary: expect.stringContaining("95 %") }]);
  bed.installation.clock.advance(10_000);
  await fallSilent(25);
  const before = "Stash full (node stash-1, device s1): unknown for 25 s, 95 % before.";
  expect(await bed.firing()).toMatchObject([{ hasValue: false, summary: before, incidentSummary: before }]);
  // The newest window is within the rule's window, but outdated nevertheless.
  await bed.evaluateNext(null);
  await fallSilent(40);
  expect(await bed.firing()).toMatchObject([
    { status: "firing", hasValue: false, summary: expect.stringContaining("unknown for 40 s, 95 % before.") },
  ]);
  const [state] = await bed.installation.platform.db.alertState.findMany();
  expect(state).toMatchObject({ status: "firing", hasValue: false, value: 0.95 });
});

test("the group of an ungrouped rule has no value while the only node that reports it is silent", async () => {
  await bed.createRule({ forSeconds: 0, query: { metric: used, where: {}, groupBy: [], across: "sum" } });
  await bed.evaluateNext(0.95);
  bed.installation.clock.advance(10_000);
  await fallSilent(25);
  await bed.evaluateNow();
  bed.installation.clock.advance(15_000);
  await fallSilent(40);
  await bed.evaluateNow();
  expect(await bed.firing()).toMatchObject([{ status: "firing", hasValue: false, value: 0.95 }]);
});

test("a node that reports low values and falls silent does not resolve its alert", async () => {
  await bed.createRule({ forSeconds: 0, keepFiringSeconds: 30 });
  await bed.evaluateNext(0.95);
  await bed.evaluateNext(0.1);
  expect(await bed.firing()).toMatchObject([{ value: 0.1, incidentEnd: "ends in 30 s" }]);
  await fallSilent(30);
  for (let turn = 0; turn < 4; turn += 1) {
    bed.installation.clock.advance(15_000);
    await fallSilent(30);
    await bed.evaluateNow();
  }
  expect(await bed.firing()).toMatchObject([{ status: "firing", hasValue: false }]);
});

test("an alert is dated by the newest window behind its value, not by its evaluation", async () => {
  await bed.createRule({ forSeconds: 0 });
  await bed.evaluateNext(0.95);
  const reportedAt = new Date(bed.nowMs());
  expect(await bed.firing()).toMatchObject([
    { value: 0.95, measuredAt: reportedAt, evaluatedAt: reportedAt },
  ]);
  bed.installation.clock.advance(12_000);
  await bed.evaluateNow();
  expect(await bed.firing()).toMatchObject([
    { value: 0.95, measuredAt: reportedAt, evaluatedAt: new Date(bed.nowMs()) },
  ]);
});

/** Syncs of one window, with the number of slow ones. */
const sync = (count: number, slowCount: number) =>
  accept(
    bed.installation.platform,
    bed.node.batch({
      endMs: bed.nowMs(),
      histograms: [
        [
          "stashlight_fsync_seconds",
          { tier: "stash", device: "s1" },
          Array.from({ length: count }, (_, i) => (i < slowCount ? 0.5 : 0.001)),
        ],
      ],
    }),
  );

const createSlowRule = (changes: { forSeconds: number }) =>
  bed.createRule({
    name: "Slow",
    query: { metric: "stashlight_fsync_seconds", where: {}, groupBy: ["node", "device"], across: "sum" },
    condition: {
      kind: "percentile",
      percentile: "p99",
      comparison: "above",
      threshold: 0.05,
      sampleCountMin: 20,
      windowSeconds: 60,
    },
    ...changes,
    keepFiringSeconds: 0,
    noData: "ok",
  });

test("an alert that began by p99 settles on the syncs of the rule's window, although the last hour has slow ones", async () => {
  await createSlowRule({ forSeconds: 0 });
  await sync(1_000, 100);
  await bed.evaluateNow();
  expect(await bed.firing()).toMatchObject([{ sampleCount: 1_000 }]);
  bed.installation.clock.advance(120_000);
  await sync(500, 1);
  await bed.evaluateNow();
  expect(await bed.firing()).toMatchObject([
    {
      sampleCount: 500,
      summary: expect.stringMatching(
        /p90 .* n 500 now; ends in 15 min; not evaluated for 2 min since it began\.$/,
      ),
    },
  ]);
  for (let turn = 1; turn <= 60; turn += 1) {
    bed.installation.clock.advance(15_000);
    if (turn % 2 === 0) await sync(500, 1);
    await bed.evaluateNow();
  }
  expect(await bed.firing()).toEqual([]);
});

test("an alert on a rare metric is dated by its newest value, not by a later window of its node without one", async () => {
  await createSlowRule({ forSeconds: 0 });
  await sync(1_000, 100);
  const measuredAt = new Date(bed.nowMs());
  bed.installation.clock.advance(20_000);
  await bed.report(0.5);
  await bed.evaluateNow();
  expect(await bed.firing()).toMatchObject([{ measuredAt, evaluatedAt: new Date(bed.nowMs()) }]);
});

test("an alert on a share is dated by the older of its two figures, as a vault's fill is", async () => {
  await bed.createRule({ forSeconds: 0 });
  await bed.report(0.95);
  const measuredAt = new Date(bed.nowMs());
  bed.installation.clock.advance(10_000);
  const gauges = [[used, { stash: "stash-1", device: "s1" }, 950]] as const;
  await accept(bed.installation.platform, bed.node.batch({ endMs: bed.nowMs(), gauges }));
  await bed.evaluateNow();
  expect(await bed.firing()).toMatchObject([{ value: 0.95, measuredAt }]);
});

test("a pending alert is not confirmed while there are too few samples for p99", async () => {
  await createSlowRule({ forSeconds: 90 });
  await sync(1_000, 100);
  await bed.evaluateNow();
  for (let turn = 1; turn <= 10; turn += 1) {
    bed.installation.clock.advance(15_000);
    // By then the first window has left the rule's window.
    if (turn >= 4) await sync(100, 1);
    await bed.evaluateNow();
  }
  expect(await bed.firing()).toMatchObject([{ status: "pending" }]);
});
