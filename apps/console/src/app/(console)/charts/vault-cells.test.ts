import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { gaugeAnswer, nowMs } from "../../../client/metrics/testing.ts";
import { vaultCells } from "./vault-cells.ts";

const drive = (tier: string, device: string, node = `${tier}-1`) => ({ node, tier, device });
const at = (device: string, node: string) => ({ node, device });

const readCells = (answers: MetricAnswer[], silent: readonly string[] = []) => {
  const { pods, stashNodes } = vaultCells(answers, {
    nowMs,
    staleAfterMs: 60_000,
    silentNodes: new Set(silent),
  });
  return [...pods, ...stashNodes.flatMap(({ cells }) => cells)];
};

test.each([
  ["a running pod", 1, nowMs, 50, 3, "good", "Pod p0: running, 50 % full, 3 shards not durable"],
  ["a single waiting shard", 1, nowMs, 50, 1, "good", "Pod p0: running, 50 % full, 1 shard not durable"],
  ["a nearly full pod", 1, nowMs, 80, 0, "warning", "Pod p0: running, 80 % full, 0 shards not durable"],
  ["a full pod", 1, nowMs, 95, 0, "bad", "Pod p0: running, 95 % full, 0 shards not durable"],
  [
    "a drive that failed or is being opened",
    0,
    nowMs,
    50,
    3,
    "bad",
    "Pod p0: not running, 50 % full, 3 shards not durable",
  ],
  ["a silent drive", 1, nowMs - 61_000, 50, 3, "unknown", "Pod p0: silent, 50 % full, 3 shards not durable"],
])("the cell of a pod describes %s", (_, running, endMs, live, backlog, status, sentence) => {
  const [cell] = readCells([
    gaugeAnswer("stashlight_drive_running", [[drive("pod", "p0"), running, endMs]]),
    gaugeAnswer("stashlight_pod_taken_bytes", [[at("p0", "pod-1"), live]]),
    gaugeAnswer("stashlight_pod_usable_bytes", [[at("p0", "pod-1"), 100]]),
    gaugeAnswer("stashlight_flush_backlog_shards", [[at("p0", "pod-1"), backlog]]),
  ]);
  expect(cell).toMatchObject({ status, sentence });
});

test.each([
  ["corrupt records warn", 50, 2, 0, "warning", ", 2 records corrupt"],
  ["one corrupt record warns", 50, 1, 0, "warning", ", 1 record corrupt"],
  ["correlated damage is worse than a drive that is nearly full", 80, 90, 1, "bad", ", 90 records corrupt"],
  ["a full drive is worse than a corrupt record", 95, 1, 0, "bad", ", 1 record corrupt"],
])(
  "the worse of fill and damage decides the status of a cell: %s",
  (_, taken, corrupt, correlated, status, end) => {
    const [cell] = readCells([
      gaugeAnswer("stashlight_drive_running", [[drive("pod", "p0"), 1]]),
      gaugeAnswer("stashlight_pod_taken_bytes", [[at("p0", "pod-1"), taken]]),
      gaugeAnswer("stashlight_pod_usable_bytes", [[at("p0", "pod-1"), 100]]),
      gaugeAnswer("stashlight_drive_corrupt_records", [[at("p0", "pod-1"), corrupt]]),
      gaugeAnswer("stashlight_drive_damage_correlated", [[at("p0", "pod-1"), correlated]]),
    ]);
    expect(cell).toMatchObject({ status, sentence: `Pod p0: running, ${taken} % full${end}` });
  },
);

test.each([
  ["an idle device, whose open segment holds garbage", 0, 10, 20, "good", "0 % occupied, 10 % garbage"],
  ["a device that garbage closes to uploads", 2, 70, 80, "warning", "2 % occupied, 70 % garbage"],
  ["a device that unpurged shards close to uploads", 90, 2, 95, "bad", "90 % occupied, 2 % garbage"],
])("the cell of a stash device describes %s", (_, live, dead, used, status, words) => {
  const gauges = { live, dead, used, capacity: 100 };
  const [cell] = readCells([
    gaugeAnswer("stashlight_drive_running", [[drive("stash", "s1"), 1]]),
    ...(["live", "dead", "used", "capacity"] as const).map((name) =>
      gaugeAnswer(`stashlight_stash_${name}_bytes`, [[at("s1", "stash-1"), gauges[name]]]),
    ),
  ]);
  expect(cell).toMatchObject({ status, fill: live / 100, sentence: `Stash device s1: running, ${words}` });
});

test.each([
  [0, "empty", "empty", "no shard waits"],
  [221, "< 1 s", "< 1 s", "the oldest shard has waited for less than 1 s"],
])(
  "a stash device with %d unpurged bytes and an oldest shard of 0 s shows the same lag in every cell",
  (live, lag, lagBrief, end) => {
    const [cell] = readCells([
      gaugeAnswer("stashlight_drive_running", [[drive("stash", "s1"), 1]]),
      gaugeAnswer("stashlight_stash_oldest_unpurged_seconds", [[at("s1", "stash-1"), 0]]),
      gaugeAnswer("stashlight_stash_live_bytes", [[at("s1", "stash-1"), live]]),
    ]);
    expect(cell).toMatchObject({ lag, lagBrief, sentence: `Stash device s1: running, ${end}` });
  },
);

test("a drive that reports only its state has no other claims in its cell", () => {
  const [cell] = readCells([gaugeAnswer("stashlight_drive_running", [[drive("stash", "s1"), 1]])]);
  expect(cell).toMatchObject({ fill: null, lag: null, status: "good", sentence: "Stash device s1: running" });
});

test("a drive of a silent node is not called running, even if its last report is new", () => {
  const answers = [gaugeAnswer("stashlight_drive_running", [[drive("pod", "p0"), 1]])];
  expect(readCells(answers, ["pod-1"])[0]).toMatchObject({ status: "unknown", sentence: "Pod p0: silent" });
  expect(readCells(answers, ["pod-2"])[0]).toMatchObject({ status: "good" });
});

test("pods are sorted by number, and stash devices are grouped by node", () => {
  const { pods, stashNodes } = vaultCells(
    [
      gaugeAnswer("stashlight_drive_running", [
        [drive("pod", "p10"), 1],
        [drive("pod", "p2"), 1],
        [drive("stash", "s3", "stash-2"), 1],
        [drive("stash", "s0", "stash-1"), 1],
        [drive("coordinator", "c0"), 1],
      ]),
    ],
    { nowMs, staleAfterMs: 60_000, silentNodes: new Set() },
  );
  expect(pods.map(({ device }) => device)).toEqual(["p2", "p10"]);
  expect(stashNodes.map(({ node, cells }) => [node, cells.length])).toEqual([
    ["stash-1", 1],
    ["stash-2", 1],
  ]);
});

test.each([
  ["pod", "stashlight_flush_backlog_shards", 0, "0"],
  ["pod", "stashlight_flush_backlog_shards", 9_999, "9999"],
  ["pod", "stashlight_flush_backlog_shards", 123_456, "123 k"],
  ["stash", "stashlight_stash_oldest_unpurged_seconds", 0, "empty"],
  ["stash", "stashlight_stash_oldest_unpurged_seconds", 0.2, "< 1 s"],
  ["stash", "stashlight_stash_oldest_unpurged_seconds", 7.86, "7 s"],
  ["stash", "stashlight_stash_oldest_unpurged_seconds", 3_500, "58 min"],
] as const)("a small cell shortens the lag of a %s: %s of %d becomes %j", (tier, metric, value, lagBrief) => {
  const [cell] = readCells([
    gaugeAnswer("stashlight_drive_running", [[drive(tier, "d0"), 1]]),
    gaugeAnswer(metric, [[at("d0", `${tier}-1`), value]]),
  ]);
  expect(cell).toMatchObject({ lagBrief });
});
