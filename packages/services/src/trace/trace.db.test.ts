import { listTracesInput, type UploadTraceData } from "@stashlight/contracts/upload";
import { beforeAll, expect, test } from "vitest";
import { applyMetricRetention } from "../metrics/roll-up/retention.ts";
import { createTestNode, type TestNode, useSharedInstallation } from "../testing/index.ts";
import { acceptTraces } from "./accept.ts";
import { getTrace } from "./get.ts";
import { listTraces } from "./list.ts";

const { installation, viewer } = useSharedInstallation("viewer");
let node: TestNode;
let startMs: number;

const makeTrace = (uploadId: string, part: Partial<UploadTraceData>): UploadTraceData => ({
  uploadId,
  bucket: "photos",
  sizeBytes: 100_000,
  path: "stash",
  result: "stored",
  startedAtMs: startMs - 60_000,
  totalUs: 10_000,
  keptBecause: ["slow"],
  verify: { startUs: null, endUs: null },
  encode: { startUs: -2_000, endUs: -500 },
  podQuorumUs: 7_000,
  stashQuorumUs: 9_000,
  quorumUs: 9_500,
  shards: [],
  ...part,
});

beforeAll(async () => {
  node = await createTestNode(installation.platform, "coordinator-1", true);
  startMs = installation.clock.now().getTime();
  await acceptTraces({
    client: installation.platform.metrics,
    nodeId: node.id,
    nowMs: startMs,
    traces: [
      makeTrace("quick", {}),
      makeTrace("slow", { totalUs: 900_000 }),
      makeTrace("direct", { path: "direct", totalUs: 300_000 }),
      makeTrace("failed", { path: "direct", result: "unavailable", totalUs: 5_000_000 }),
      makeTrace("record of a bucket", { bucket: ".buckets", totalUs: 9_000_000 }),
      makeTrace("yesterday", { totalUs: 8_000_000, startedAtMs: startMs - 20 * 3_600_000 }),
    ],
  });
});

async function listIds(filter: Record<string, unknown> = {}): Promise<string[]> {
  const range = { fromMs: startMs - 3_600_000, toMs: startMs };
  const input = listTracesInput.parse({ ...range, ...filter });
  return (await listTraces({ ctx: viewer.ctx, input })).traces.map(({ uploadId }) => uploadId);
}

test("a vault's own records are not listed as uploads of clients", async () => {
  expect(await listIds()).not.toContain("record of a bucket");
});

test("uploads of the range are listed, slowest first", async () => {
  expect(await listIds()).toEqual(["failed", "slow", "direct", "quick"]);
  expect(await listIds({ fromMs: 0 })).toEqual(["yesterday", "failed", "slow", "direct", "quick"]);
});

test.each([
  [{ path: "stash" }, ["slow", "quick"]],
  [{ path: "direct" }, ["direct"]],
  [{ result: "stored" }, ["slow", "direct", "quick"]],
  [{ result: "failed" }, ["failed"]],
  [{ path: "direct", result: "stored" }, ["direct"]],
  [{ path: "direct", result: "failed" }, []],
])("a list can be filtered by %o", async (filter, expected) => {
  expect(await listIds(filter)).toEqual(expected);
});

test("a list can be limited to vaults, and names the vault of each upload", async () => {
  const range = { fromMs: startMs - 3_600_000, toMs: startMs };
  const listed = (vaults: string[]) =>
    listTraces({ ctx: viewer.ctx, input: listTracesInput.parse({ ...range, vaults }) });
  const { traces, newestAt } = await listed(["elsewhere", "v"]);
  expect(new Set(traces.map(({ vault }) => vault))).toEqual(new Set(["v"]));
  expect(newestAt?.getTime()).toBe(startMs - 60_000);
  expect(await listed(["elsewhere"])).toEqual({ traces: [], totalCount: 0, newestAt: null });
});

test("a truncated list of the slowest traces shows their total number", async () => {
  const input = listTracesInput.parse({ fromMs: startMs - 3_600_000, toMs: startMs, countMax: 1 });
  const { traces, totalCount, newestAt } = await listTraces({ ctx: viewer.ctx, input });
  expect(traces).toHaveLength(1);
  expect(totalCount).toBe(4);
  expect(newestAt?.getTime()).toBe(startMs - 60_000);
});

test("a trace's total begins with the encoding, and the trace names the measuring node and marks it as simulated", async () => {
  expect(await getTrace({ ctx: viewer.ctx, input: { uploadId: "quick" } })).toMatchObject({
    totalSeconds: 0.012,
    nodeName: "coordinator-1",
    isSimulated: true,
    sizeBytes: 100_000,
    trace: makeTrace("quick", {}),
  });
});

test("an upload without a trace is not found, and the error states the possible reasons", async () => {
  await expect(getTrace({ ctx: viewer.ctx, input: { uploadId: "nobody" } })).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("was not sampled"),
  });
});

test("traces are deleted after two days", async () => {
  installation.clock.advance(30 * 3_600_000);
  expect(await applyMetricRetention(installation.platform)).toContain("1 traces");
  expect(await listIds({ fromMs: 0 })).toEqual(["failed", "slow", "direct", "quick"]);
});
