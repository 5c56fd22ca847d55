import type { UploadTraceData } from "@stashlight/contracts/upload";
import { expect, test } from "vitest";
import { prepareWaterfall } from "./waterfall.ts";

const shard = (
  index: number,
  podWrittenUs: number | null,
  stashDurableUs: number | null,
): UploadTraceData["shards"][number] => ({
  index,
  podSentUs: 0,
  podWrittenUs,
  stashSentUs: 100,
  stashDurableUs,
  flushedUs: null,
  purgedUs: null,
});

const makeTrace = (part: Partial<UploadTraceData> = {}): UploadTraceData => ({
  uploadId: "u",
  bucket: "photos",
  sizeBytes: 100_000,
  path: "stash",
  result: "stored",
  startedAtMs: 0,
  totalUs: 8_000,
  keptBecause: ["slow"],
  verify: { startUs: null, endUs: null },
  encode: { startUs: -2_000, endUs: -500 },
  podQuorumUs: 4_000,
  stashQuorumUs: 7_900,
  quorumUs: 8_000,
  shards: [shard(0, 3_000, 5_000), shard(1, 4_000, 7_900), shard(2, 9_000, null)],
  ...part,
});

const findRow = (trace: UploadTraceData, id: string) => {
  const row = prepareWaterfall(trace).rows.find((each) => each.id === id);
  if (row === undefined) throw new Error(`There is no row ${id}.`);
  return row;
};

test("time begins with the first known event, so that encoding is part of the upload", () => {
  const { moments, unit, ticks } = prepareWaterfall(makeTrace());
  expect(unit.name).toBe("ms");
  expect(ticks[0]).toEqual({ at: 0, label: "0" });
  expect(moments.map(({ id, time }) => [id, time])).toEqual([
    ["pods", "6 ms"],
    ["stash", "9.9 ms"],
    ["answer", "10 ms"],
  ]);
  expect(findRow(makeTrace(), "encode").lanes[0]).toMatchObject({ tone: "coordinator", from: 0 });
});

test("each shard has a lane for its pod and one for the stash, in their colours", () => {
  const [pod, stash] = findRow(makeTrace(), "shard-0").lanes;
  expect(pod).toMatchObject({ tone: "pod", isOpen: false, isLate: false });
  expect(stash).toMatchObject({ tone: "stash", isOpen: false, isLate: false });
  expect(pod?.label).toBe("shard 0, pod: from 2 ms, 3 ms, until 5 ms");
  for (const bar of [pod, stash]) expect(bar?.to).toBeGreaterThan(bar?.from ?? 1);
});

test("a shard stored after the answer is late, and one that never answered has no end", () => {
  const [pod, stash] = findRow(makeTrace(), "shard-2").lanes;
  expect(pod).toMatchObject({ isLate: true, isOpen: false });
  expect(pod?.label).toContain("after the answer");
  expect(stash).toMatchObject({ isOpen: true, to: 1 });
  expect(stash?.label).toContain("no answer recorded");
});

test("a straggler leaves room for the shards that the answer waited for", () => {
  const shards = [shard(0, 3_000, 5_000), shard(1, 4_000, 7_900), shard(2, 5_000_000, 6_000)];
  const { moments } = prepareWaterfall(makeTrace({ shards }));
  expect(moments.find(({ id }) => id === "answer")?.at).toBeGreaterThan(0.3);
});

test("a step that did not begin has no bar, and an unknown step has no row", () => {
  const direct = { ...shard(0, 3_000, null), stashSentUs: null };
  const trace = makeTrace({ path: "direct", shards: [direct], stashQuorumUs: null });
  expect(findRow(trace, "shard-0").lanes[1]).toBeNull();
  const { rows, moments } = prepareWaterfall(makeTrace({ encode: { startUs: null, endUs: null } }));
  expect(rows.map(({ id }) => id)).toEqual(["shard-0", "shard-1", "shard-2"]);
  expect(moments.at(-1)?.time).toBe("8 ms");
});

test.each([
  [
    {},
    "Answered 10 ms after its encoding began, on the stash path. The upload waited longest for shard 1 on the stash; the pods had been ready 3.9 ms earlier.",
  ],
  [
    { podQuorumUs: 7_950, shards: [shard(0, 7_950, 5_000), shard(1, 4_000, 7_900)] },
    "Answered 10 ms after its encoding began, on the stash path. The upload waited longest for shard 0 on a pod; the stash had been ready 50 µs earlier.",
  ],
  [
    { path: "direct", stashQuorumUs: null },
    "Answered 10 ms after its encoding began, on the direct path: enough pods had answered after 6 ms; the rest was waiting for HDDs to sync.",
  ],
  [
    { verify: { startUs: -3_000, endUs: -2_000 }, stashQuorumUs: null },
    "Answered 11 ms after its verification began, on the stash path.",
  ],
  [
    { encode: { startUs: null, endUs: null }, stashQuorumUs: null },
    "Answered 8 ms after its shards began to be sent, on the stash path.",
  ],
  [{ totalUs: 1_528_000, podQuorumUs: null }, "Answered 1.53 s after its encoding began, on the stash path."],
  [{ result: "unavailable" }, "Ended 10 ms after its encoding began without being stored (unavailable)."],
] as const)("the sentence names the critical step: %o", (part, expected) => {
  expect(prepareWaterfall(makeTrace(part as Partial<UploadTraceData>)).summary).toBe(expected);
});
