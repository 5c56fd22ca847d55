/** Reads recent reports of every vault's agents, as input of the durability estimate. */
import type { MetricName } from "@stashlight/contracts/metrics";
import { driveModelKey } from "@stashlight/devices/failures";
import type { LivePod, LiveVault } from "@stashlight/planner";
import { type FailureCounts, modelEvidence, readFailureCounts } from "../failure-rate/evidence.ts";
import type { BaseWithMerger, WithMerger } from "../metrics/query/merger.ts";
import { type AskedLevel, type Level, readNewestLevels } from "./newest-levels.ts";
import { countFailures, type RebuildHistory, readRebuildHistory } from "./rebuild-history.ts";

/** Everything that was reported about one vault. */
interface Reports {
  readonly of: (metric: MetricName) => readonly Level[];
  readonly history: RebuildHistory;
  readonly failures: FailureCounts;
  readonly vault: string;
  readonly nowMs: number;
}

export interface ReportedVault {
  readonly live: LiveVault;
  /** End of the newest window of the reports that decide; null while no coordinator reports. */
  readonly reportedMs: number | null;
}

const tier: AskedLevel["where"] = { tier: ["pod"] };
const ofPods: Pick<AskedLevel, "where" | "groupBy"> = { where: tier, groupBy: ["vault", "device"] };
const onPods = { groupBy: ["vault", "device"], across: "max" } as const;
const onStash = { groupBy: ["vault", "stash", "device"], across: "max" } as const;

/** Groups by label set, so that several coordinators that report the same values count once. */
const ASKED: readonly AskedLevel[] = [
  { metric: "stashlight_vault_data_shards", groupBy: ["vault"], across: "max" },
  { metric: "stashlight_vault_parity_shards", groupBy: ["vault"], across: "max" },
  { metric: "stashlight_vault_rebuild_limit_bytes", groupBy: ["vault"], across: "max" },
  { metric: "stashlight_vault_pod_settled", groupBy: ["vault", "pod"], across: "max" },
  { metric: "stashlight_pod_missing_shards", ...onPods },
  { metric: "stashlight_pod_missing_bytes", ...onPods },
  { metric: "stashlight_pod_rebuild_remaining_seconds", ...onPods },
  { metric: "stashlight_pod_live_bytes", ...onPods },
  { metric: "stashlight_pod_visible_objects", ...onPods },
  { metric: "stashlight_pod_visible_object_bytes", ...onPods },
  { metric: "stashlight_scrub_oldest_unverified_seconds", ...ofPods, across: "max" },
  { metric: "stashlight_device_healthy", ...ofPods, across: "min" },
  {
    metric: "stashlight_device_info",
    where: tier,
    groupBy: ["vault", "device", "model"],
    across: "max",
  },
  { metric: "stashlight_stash_live_bytes", ...onStash },
  { metric: "stashlight_stash_oldest_unpurged_seconds", ...onStash },
];

export async function readLiveVaults(
  platform: WithMerger,
  vaults: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, ReportedVault>> {
  const history = await readRebuildHistory(platform, nowMs);
  const failures = await readFailureCounts(platform);
  const answers = new Map(
    await Promise.all(
      ASKED.map(async (asked) => [asked.metric, await readByVault(platform, asked, vaults, nowMs)] as const),
    ),
  );
  return new Map(
    vaults.map((vault) => {
      const of = (metric: MetricName): readonly Level[] => answers.get(metric)?.get(vault) ?? [];
      const reports = { of, history, failures, vault, nowMs };
      const live = liveVault(reports);
      return [vault, { live, reportedMs: decidingReportMs(reports, live.pods) }];
    }),
  );
}

async function readByVault(
  platform: BaseWithMerger,
  asked: AskedLevel,
  vaults: readonly string[],
  nowMs: number,
): Promise<Map<string, Level[]>> {
  const levels = await readNewestLevels(platform, asked, vaults, nowMs);
  return Map.groupBy(levels, ({ labels }) => labels.vault ?? "");
}

const newestMs = (reported: readonly Level[]): number | null =>
  reported.length === 0 ? null : Math.max(...reported.map(({ atMs }) => atMs));

/**
 * Coordinators report which pods are away, and pods report which shards they lack, at different times. The reports that
 * found a problem determine the time; if both or neither did, the older ones do.
 */
function decidingReportMs({ of }: Reports, pods: readonly LivePod[]): number | null {
  const coordinatorsMs = newestMs(of("stashlight_vault_parity_shards"));
  const podsMs = newestMs(of("stashlight_pod_missing_shards"));
  if (coordinatorsMs === null || podsMs === null) return coordinatorsMs;
  const has = (state: LivePod["state"]) => pods.some((pod) => pod.state === state);
  if (has("away") === has("rebuilding")) return Math.min(coordinatorsMs, podsMs);
  return has("away") ? coordinatorsMs : podsMs;
}

const values = (reported: readonly Level[]): number[] => reported.map(({ value }) => value);

/** Windows of a machine whose clock is ahead end in the future, and count as current. */
const provenance = (reported: readonly Level[], nowMs: number) => ({
  count: reported.length,
  ageSeconds: Math.max(0, nowMs - (newestMs(reported) ?? nowMs)) / 1000,
});

function liveVault(reports: Reports): LiveVault {
  const { of, history, failures, vault, nowMs } = reports;
  const pods = livePods(reports);
  const [dataShards] = values(of("stashlight_vault_data_shards"));
  const [parityShards] = values(of("stashlight_vault_parity_shards"));
  const held = of("stashlight_pod_live_bytes");
  const missing = new Map(of("stashlight_pod_missing_bytes").map((each) => [each.labels.device, each.value]));
  const wholeBytes = held.map(({ labels, value }) => value + (missing.get(labels.device) ?? 0));
  const podBytes = held.length === 0 ? null : { ...provenance(held, nowMs), bytes: Math.max(...wholeBytes) };
  const rates = history.rates.get(vault);
  const scrubs = of("stashlight_scrub_oldest_unverified_seconds");
  const stash = of("stashlight_stash_live_bytes");
  const oldest = values(of("stashlight_stash_oldest_unpurged_seconds"));
  return {
    scheme: dataShards === undefined || parityShards === undefined ? null : { dataShards, parityShards },
    pods,
    models: [...new Set(pods.flatMap(({ model }) => model ?? []))].map((key) => modelEvidence(failures, key)),
    podBytes,
    rebuild:
      rates === undefined ? null : { ...rates, ageSeconds: Math.max(0, nowMs - rates.newestMs) / 1000 },
    rebuildLimit: values(of("stashlight_vault_rebuild_limit_bytes"))[0] ?? null,
    seen: countFailures(history.pods.get(vault) ?? [], podBytes?.bytes ?? 0),
    scrub:
      scrubs.length === 0
        ? null
        : { ...provenance(scrubs, nowMs), oldestSeconds: Math.max(...values(scrubs)) },
    stash:
      stash.length === 0
        ? null
        : {
            ...provenance(stash, nowMs),
            bytes: values(stash).reduce((sum, bytes) => sum + bytes, 0),
            oldestSeconds: Math.max(0, ...oldest),
          },
    objectBytes: meanObjectBytes(reports),
  };
}

/** Every pod should know all objects; the one that knows most is the most complete. */
function meanObjectBytes({ of }: Reports): number | null {
  const count = Math.max(0, ...values(of("stashlight_pod_visible_objects")));
  const bytes = Math.max(0, ...values(of("stashlight_pod_visible_object_bytes")));
  return count === 0 ? null : bytes / count;
}

function livePods({ of }: Reports): LivePod[] {
  const byDevice = (metric: MetricName) =>
    new Map(of(metric).map((each) => [each.labels.device ?? "", each]));
  const [shards, bytes, seconds, healthy, models] = (
    [
      "stashlight_pod_missing_shards",
      "stashlight_pod_missing_bytes",
      "stashlight_pod_rebuild_remaining_seconds",
      "stashlight_device_healthy",
      "stashlight_device_info",
    ] as const
  ).map(byDevice);
  return of("stashlight_vault_pod_settled").map(({ labels, value }) => {
    const device = labels.pod ?? "";
    const isMissing = (shards?.get(device)?.value ?? 0) > 0;
    return {
      pod: Number(device.slice(1)),
      state: value < 1 ? "away" : isMissing ? "rebuilding" : "whole",
      missingBytes: isMissing ? (bytes?.get(device)?.value ?? 0) : 0,
      secondsLeft: seconds?.get(device)?.value ?? null,
      model: driveModelKey(models?.get(device)?.labels.model ?? "") || null,
      isSuspect: (healthy?.get(device)?.value ?? 1) < 1,
    };
  });
}
