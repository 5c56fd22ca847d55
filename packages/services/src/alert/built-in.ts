/**
 * The rules that every installation begins with. An admin may change them or turn them off; that stays. Those that
 * nobody touched follow what stands here.
 */
import type { AlertRuleInput } from "@stashlight/contracts";
import { alertRuleInput } from "@stashlight/contracts";
import type { z } from "zod";
import { newId } from "../ids.ts";
import type { Platform } from "../platform.ts";

type Given = z.input<typeof alertRuleInput>;

const used = "stashlight_stash_used_bytes";
const capacity = "stashlight_stash_capacity_bytes";
const fsync = "stashlight_fsync_seconds";

/** An idle device syncs a few times a minute; of fewer values not even the median says anything. */
const MEDIAN_SAMPLES_MIN = 20;

const fewSamples = (what: string): string =>
  `With fewer than 1,000 ${what} the 90th percentile is looked at instead, with fewer than 100 the median; fewer than ${MEDIAN_SAMPLES_MIN} say nothing.`;

const slowFsync = (tier: "stash" | "pod", name: string, threshold: number): Given => ({
  name: `fsync slow on ${name}`,
  description: `Each ${name} device by itself: its 99th percentile over five minutes. ${fewSamples("syncs")}`,
  query: { metric: fsync, where: { tier: [tier] }, groupBy: ["node", "device"] },
  condition: {
    kind: "percentile",
    percentile: "p99",
    comparison: "above",
    threshold,
    sampleCountMin: MEDIAN_SAMPLES_MIN,
    windowSeconds: 300,
  },
  forSeconds: 120,
  noData: "ok",
});

/** A counter that should stand still: any increase fires, and it stays for ten minutes. */
const counted = (metric: Given["query"]["metric"], name: string, description: string): Given => ({
  name,
  description,
  query: { metric, groupBy: ["node", "device"] },
  condition: {
    kind: "threshold",
    statistic: "increase",
    comparison: "above",
    threshold: 0,
    windowSeconds: 60,
  },
  forSeconds: 0,
  keepFiringSeconds: 600,
  noData: "ok",
  severity: "critical",
});

const builtIn: Record<string, Given> = {
  "stash-occupancy": {
    name: "Stash filling up",
    description: "When the stash is full, small uploads wait for HDDs.",
    query: { metric: used },
    condition: {
      kind: "threshold",
      statistic: "last",
      shareOf: capacity,
      comparison: "above",
      threshold: 0.75,
      windowSeconds: 60,
    },
    forSeconds: 300,
  },
  "time-to-full": {
    name: "Stash full within the hour",
    description: "At the growth, over the last 15 minutes, of what is not purged.",
    query: { metric: "stashlight_stash_live_bytes" },
    condition: {
      kind: "time-to-full",
      capacityMetric: capacity,
      thresholdSeconds: 3_600,
      windowSeconds: 900,
    },
    forSeconds: 120,
    severity: "critical",
  },
  "purge-lag": {
    name: "Purge is behind",
    description: `Shards stay on the stash for minutes: a pod does not flush, or does not purge. ${fewSamples("purges")}`,
    query: { metric: "stashlight_purge_lag_seconds" },
    condition: {
      kind: "percentile",
      percentile: "p99",
      comparison: "above",
      threshold: 120,
      sampleCountMin: MEDIAN_SAMPLES_MIN,
      windowSeconds: 300,
    },
    forSeconds: 120,
    noData: "ok",
  },
  "fsync-ssd": slowFsync("stash", "SSD", 0.05),
  "fsync-hdd": slowFsync("pod", "HDD", 0.5),
  "fsync-errors": counted(
    "stashlight_fsync_errors_total",
    "fsync failed",
    "A sync that failed ends the use of its volume: what the drive says it keeps is not to be believed.",
  ),
  "drive-failures": counted(
    "stashlight_drive_failures_total",
    "Drive failed",
    "A drive was closed because it failed or owed an answer for too long.",
  ),
  "drive-down": {
    name: "Drive not running",
    description:
      "A drive that failed is looked for again and again; until it is back its shards are on the other drives only.",
    query: { metric: "stashlight_drive_running", groupBy: ["node", "device"], across: "min" },
    condition: {
      kind: "threshold",
      statistic: "last",
      comparison: "below",
      threshold: 1,
      windowSeconds: 60,
    },
    forSeconds: 60,
    noData: "ok",
    severity: "critical",
  },
  "node-silence": {
    name: "Node silent",
    description:
      "A node sends every few seconds. Nothing from it means that it, its network or the ingest is away.",
    query: { metric: "stashlight_agent_resident_bytes", groupBy: ["node"] },
    condition: { kind: "absence", minutes: 2 },
    forSeconds: 0,
    keepFiringSeconds: 30,
    severity: "critical",
  },
  "durable-margin": {
    name: "Durable margin below the quorum",
    description:
      "An acknowledged upload has all of its shards but one durable, whatever the vault's scheme is; fewer means that nodes are away or shards were lost.",
    query: { metric: "stashlight_durable_missing_shards", across: "max" },
    condition: {
      kind: "threshold",
      statistic: "max",
      comparison: "above",
      threshold: 0,
      windowSeconds: 60,
    },
    forSeconds: 120,
    severity: "critical",
  },
};

export const builtInRules: readonly (readonly [string, AlertRuleInput])[] = Object.entries(builtIn).map(
  ([key, rule]) => [key, alertRuleInput.parse(rule)],
);

/** Makes the built-in rules that are not there yet, and brings those that nobody touched up to date. */
export async function ensureAlertRules(platform: Platform): Promise<void> {
  const { db, now } = platform;
  const at = now();
  for (const [builtInKey, rule] of builtInRules) {
    const { isEnabled, channelIds, ...text } = rule;
    await db.alertRule.updateMany({
      where: { builtInKey, updatedAt: { equals: db.alertRule.fields.createdAt } },
      data: text,
    });
  }
  await db.alertRule.createMany({
    data: builtInRules.map(([builtInKey, rule]) => ({
      id: newId(),
      builtInKey,
      ...rule,
      createdAt: at,
      updatedAt: at,
    })),
    skipDuplicates: true,
  });
}
