import { beforeAll, expect, onTestFinished, test } from "vitest";
import { noteRefusedValues } from "../node/reporting/note-refused.ts";
import { startHeartbeat } from "../process/heartbeat.ts";
import { accept, createTestNode, type TestNode, useSharedInstallation } from "../testing/index.ts";
import { readTelemetryHealth } from "./telemetry.ts";

const { installation, viewer } = useSharedInstallation("viewer");
let node: TestNode;
let nowMs: number;

beforeAll(async () => {
  nowMs = installation.clock.now().getTime();
  node = await createTestNode(installation.platform, "stash-1");
  await createTestNode(installation.platform, "stash-2");
});

const read = () => readTelemetryHealth({ ctx: viewer.ctx });

test("a node that never sent anything is listed, without invented values", async () => {
  expect((await read()).nodes.find(({ name }) => name === "stash-2")).toMatchObject({
    newestAt: null,
    windowMs: null,
    spoolBytes: null,
    skewMs: null,
    refusedCount: 0,
  });
});

test("the newest window, missing data and refusals are reported by the node's name", async () => {
  const { platform } = installation;
  const gap = { startMs: nowMs - 60_000, endMs: nowMs - 30_000, reason: "spool_full" as const };
  await accept(
    platform,
    node.batch({ endMs: nowMs - 20_000, gauges: [["stashlight_client_connections", {}, 3]], gaps: [gap] }),
  );
  await noteRefusedValues(platform, node.id, [
    { metric: "made_up", reason: "unknown_metric" },
    { metric: "made_up", reason: "unknown_metric" },
    { metric: "stashlight_fsync_seconds", reason: "bad_value" },
  ]);
  const { nodes, gaps, refused } = await read();
  expect(nodes.find(({ name }) => name === "stash-1")).toMatchObject({
    newestAt: new Date(nowMs - 20_000),
    windowMs: 10_000,
    refusedCount: 3,
  });
  expect(gaps).toEqual([
    {
      nodeName: "stash-1",
      isSimulated: false,
      startAt: new Date(gap.startMs),
      endAt: new Date(gap.endMs),
      reason: "spool_full",
    },
  ]);
  expect(refused.map(({ nodeName, metric, count }) => ({ nodeName, metric, count }))).toEqual([
    { nodeName: "stash-1", metric: "made_up", count: 2 },
    { nodeName: "stash-1", metric: "stashlight_fsync_seconds", count: 1 },
  ]);
});

test("the ingest's live processes are listed, and no processes of other kinds", async () => {
  const kinds = ["ingest", "worker"] as const;
  const beats = kinds.map((kind) =>
    startHeartbeat(installation.anotherPlatform({ kind }), (error) => {
      throw error;
    }),
  );
  onTestFinished(async () => void (await Promise.all(beats.map((beat) => beat.stop()))));
  await expect.poll(async () => (await read()).ingests.length, { timeout: 15_000 }).toBe(1);
  expect((await read()).ingests[0]?.name).toMatch(/^ingest · /);
});
