import type { MetricName } from "@stashlight/contracts/metrics";
import { expect, test } from "vitest";
import { gaugeAnswer, nowMs } from "../../../client/metrics/testing.ts";
import { operationSelections, readOperations } from "./operations.ts";

interface GivenPod {
  readonly shards: number;
  readonly bytes: number;
  readonly total: number;
  readonly seconds?: number;
  readonly endMs?: number;
}

function vault(
  pods: Readonly<Record<string, GivenPod>>,
  drained: Readonly<Record<string, readonly [left: number, total: number]>> = {},
  margin: number | null = 3,
  silentNodes: readonly string[] = [],
  unsettled: readonly string[] = [],
) {
  const ofPods = (metric: MetricName, of: (given: GivenPod) => number | undefined) =>
    gaugeAnswer(
      metric,
      Object.entries(pods)
        .flatMap(([device, given]) => {
          const value = of(given);
          return value === undefined
            ? []
            : [[{ node: "local.pod-1", pod: "pod-1", device }, value, given.endMs ?? nowMs] as const];
        })
        .map(([labels, value, endMs]) => [labels, value, endMs]),
    );
  const ofDrained = (metric: MetricName, at: 0 | 1) =>
    gaugeAnswer(
      metric,
      Object.entries(drained).map(([device, given]) => [{ stash: "stash-1", device }, given[at]]),
    );
  return readOperations(
    [
      ofPods("stashlight_pod_missing_shards", ({ shards }) => shards),
      ofPods("stashlight_pod_missing_bytes", ({ bytes }) => bytes),
      ofPods("stashlight_pod_rebuild_total_bytes", ({ total }) => total),
      ofPods("stashlight_pod_rebuild_remaining_seconds", ({ seconds }) => seconds),
      ofDrained("stashlight_stash_draining_shards", 0),
      ofDrained("stashlight_stash_drain_total_shards", 1),
      gaugeAnswer(
        "stashlight_vault_pod_settled",
        Object.keys(pods).map((pod) => [{ pod }, unsettled.includes(pod) ? 0 : 1]),
      ),
      gaugeAnswer(
        "stashlight_durable_margin_shards",
        margin === null ? [] : [[{ node: "local.coordinator-1" }, margin]],
      ),
    ],
    nowMs,
    new Set(silentNodes),
  );
}

const whole = { shards: 0, bytes: 0, total: 0, seconds: 0 };
const half = { shards: 5, bytes: 500, total: 1000, seconds: 50 };

test("the queries name the vault and none of its nodes, so that a node that joins changes no question", () => {
  for (const { nodeIds, where } of operationSelections("local")) {
    expect({ nodeIds, where }).toEqual({ nodeIds: undefined, where: { vault: ["local"] } });
  }
});

test("a coordinator that reports no margin has sampled no upload recently", () => {
  expect(vault({ p0: whole }, {}, null)?.margin).toBe(
    "No upload was sampled in the last five minutes or since the coordinator started, so the shards that uploads can spare are unknown.",
  );
});

test("a silent node has no verdict, even if its last report is new", () => {
  expect(vault({ p0: whole }, {}, 3, ["local.pod-1", "local.coordinator-1"])).toMatchObject({
    summary: "1 pod does not report missing shards",
    status: "unknown",
    margin: "No coordinator reports, so the shards that uploads can spare are unknown.",
  });
});

test("a vault whose pods hold all shards is good, and lists no operation", () => {
  expect(vault({ p0: whole, p1: whole })).toEqual({
    operations: [],
    summary: "All pods hold all their shards",
    status: "good",
    margin: "By the last sample, up to 18 s earlier, uploads can spare at least 3 shards.",
    reported: { podsMs: nowMs, coordinatorsMs: nowMs },
  });
});

test("pods that are back but not settled do not hold their shards for the vault", () => {
  expect(vault({ p0: whole, p1: whole, p2: whole }, {}, 3, [], ["p1", "p2"])).toMatchObject({
    summary: "2 pods are away or not settled yet",
    status: "warning",
  });
  expect(vault({ p0: whole }, {}, 3, ["local.pod-1"], ["p0"])?.summary).toBe(
    "1 pod does not report missing shards",
  );
});

test("pods and coordinators have their own dates, without those of silent nodes", () => {
  const late = { ...whole, endMs: nowMs - 8_000 };
  const reportedOf = (...given: Parameters<typeof vault>) => vault(...given)?.reported;
  expect(reportedOf({ p0: late })).toEqual({ podsMs: nowMs - 8_000, coordinatorsMs: nowMs });
  expect(reportedOf({ p0: late, p1: whole })).toEqual({ podsMs: nowMs, coordinatorsMs: nowMs });
  expect(reportedOf({ p0: late }, {}, 3, ["local.pod-1"])).toEqual({
    podsMs: nowMs - 8_000,
    coordinatorsMs: nowMs,
  });
});

test("answers that a page could not renew keep their verdict and their date", () => {
  const answers = [
    gaugeAnswer("stashlight_pod_missing_shards", [[{ node: "local.pod-1", device: "p0" }, 0]]),
    gaugeAnswer("stashlight_vault_pod_settled", [[{ node: "local.coordinator-1", pod: "p0" }, 1]]),
  ];
  expect(readOperations(answers, nowMs + 90_000, new Set())).toMatchObject({
    summary: "All pods hold all their shards",
    reported: { podsMs: nowMs, coordinatorsMs: nowMs },
  });
});

test("a point that ends after its newest window has the date of the window", () => {
  const answers = ["stashlight_pod_missing_shards", "stashlight_vault_pod_settled"] as const;
  const read = readOperations(
    answers.map((metric) => ({
      ...gaugeAnswer(metric, [[{ device: "p0", pod: "p0" }, 0]]),
      newestMs: nowMs - 9_000,
    })),
    nowMs,
    new Set(),
  );
  expect(read?.reported).toEqual({ podsMs: nowMs - 9_000, coordinatorsMs: nowMs - 9_000 });
});

test("a rebuild shows how much is done, how fast it goes and when it ends", () => {
  const { operations = [], summary, status } = vault({ p0: whole, p1: half }) ?? {};
  expect(operations).toEqual([
    {
      device: "p1",
      node: "pod-1",
      title: "p1 lacks 5 shards",
      doneShare: 0.5,
      detail: "500 B of 1 kB at 10 B/s, about 50 s left",
      secondsLeft: 50,
    },
  ]);
  expect([summary, status]).toEqual([
    "Pod p1 gets back lost shards, full redundancy in about 50 s",
    "warning",
  ]);
});

test("the slowest rebuild comes first, after those without a known end, and no end is promised while one is unknown", () => {
  const { operations = [], summary } =
    vault({ p0: half, p1: { ...half, seconds: 500 }, p2: { shards: 5, bytes: 500, total: 500 } }) ?? {};
  expect(operations.map(({ device }) => device)).toEqual(["p2", "p1", "p0"]);
  expect(summary).toBe("3 pods get back lost shards");
});

test("a rebuild is bad while uploads can spare no shard", () => {
  expect(vault({ p0: half }, {}, 0)?.status).toBe("bad");
});

test("devices that are being drained are listed separately from empty ones", () => {
  const { operations = [], summary, status } = vault({ p0: whole }, { s0: [10, 40], s1: [0, 40] }) ?? {};
  expect(operations.map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
    "s0 is being drained: 30 of 40 shards",
    "s1 is drained: empty; it can be removed",
  ]);
  expect([summary, status]).toEqual([
    "All pods hold all their shards; 1 stash device is being drained; 1 stash device is empty and can be removed",
    "good",
  ]);
});

test("a report older than a minute is ignored, and a vault without reports has no panel", () => {
  expect(vault({ p0: { ...half, endMs: nowMs - 61_000 }, p1: whole })).toMatchObject({
    operations: [],
    summary: "1 pod does not report missing shards",
    status: "unknown",
  });
  expect(vault({})).toBeNull();
});
