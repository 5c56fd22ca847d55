/** Rules with which every installation starts. An admin's changes are kept; untouched rules follow this file. */
import {
  type AlertDurabilityFigure,
  type AlertRuleInput,
  alertRuleInput,
  durabilityMetric,
  peersMetric,
} from "@stashlight/contracts/alert";
import { tiersAlike } from "@stashlight/contracts/metrics";
import { vaultSpace, wearSpace } from "@stashlight/contracts/space";
import {
  certificateMarks,
  durabilityMarks,
  epochMarks,
  filesystemMarks,
  hysteresisMarks,
  indexMarks,
  purgeLagMarks,
  scrubMarks,
  silenceMarks,
  slowFsyncSeconds,
  stashMarks,
  unusualFsyncMarks,
  vaultMarks,
  wearMarks,
} from "@stashlight/contracts/thresholds";
import { DAY_SECONDS } from "@stashlight/contracts/time";
import { samplesNeeded } from "@stashlight/stats";
import { SLOW_HOURS, SLOW_WITHIN_HOURS } from "@stashlight/stats/fail-slow";
import type { z } from "zod";
import type { Core } from "../core.ts";
import { newId } from "../ids.ts";
import { storedTerms } from "./rule-rows.ts";

type Given = z.input<typeof alertRuleInput>;

const used = "stashlight_stash_used_bytes";
const capacity = "stashlight_stash_capacity_bytes";
const fsync = "stashlight_fsync_seconds";

/** An idle device syncs only a few times per minute; with fewer values not even the median is meaningful. */
const MEDIAN_SAMPLES_MIN = samplesNeeded(500_000);
const P90_SAMPLES_MIN = samplesNeeded(900_000);
const P99_SAMPLES_MIN = samplesNeeded(990_000);

const fewSamples = (what: string): string =>
  `With fewer than ${P99_SAMPLES_MIN.toLocaleString("en")} ${what} the 90th percentile is evaluated instead, with fewer than ${P90_SAMPLES_MIN} the median; fewer than ${MEDIAN_SAMPLES_MIN} are too few. A lower percentile does not resolve what a higher one fired.`;

/** Compares a statistic of the last minute, or its share of the same statistic of another metric. */
const inMinute = (
  statistic: Extract<Given["condition"], { kind: "threshold" }>["statistic"],
  comparison: "above" | "below",
  threshold: number,
  shareOf?: Given["query"]["metric"],
): Given["condition"] => ({
  kind: "threshold",
  statistic,
  ...(shareOf !== undefined && { shareOf }),
  comparison,
  threshold,
  windowSeconds: 60,
});

const slowFsync = (tier: "stash" | "pod", name: string): Given => ({
  name: `fsync slow on ${name}`,
  description: `Judges each ${name} device by itself: its 99th percentile over five minutes, against a limit that is the same for all and against ${unusualFsyncMarks.times} times its usual value of the last three days. ${fewSamples("syncs")}`,
  query: { metric: fsync, where: { tier: [...tiersAlike[tier]] }, groupBy: ["node", "device"] },
  condition: {
    kind: "percentile",
    percentile: "p99",
    comparison: "above",
    threshold: slowFsyncSeconds[tier],
    sampleCountMin: MEDIAN_SAMPLES_MIN,
    windowSeconds: 300,
    usual: {
      times: unusualFsyncMarks.times,
      atLeast: slowFsyncSeconds[tier] * unusualFsyncMarks.floorShare,
    },
  },
  forSeconds: 120,
  keepFiringSeconds: hysteresisMarks.settleSeconds,
  noData: "ok",
});

/** A store reports only means; a mean above the threshold for the slowest hundredth is slow by any measure. */
const slowCommits = (tier: "stash" | "pod", name: string): Given => ({
  name: `Commits slow on ${name}`,
  description: `A scraped store's own mean over five minutes, each ${name} and operation by itself, is above the limit for the 99th percentile of syncs; stores report no percentiles.`,
  query: {
    metric: "stashlight_commit_mean_seconds",
    where: { tier: [...tiersAlike[tier]] },
    groupBy: ["node", "device", "operation"],
    across: "max",
  },
  condition: {
    kind: "threshold",
    statistic: "avg",
    comparison: "above",
    threshold: slowFsyncSeconds[tier],
    windowSeconds: 300,
  },
  forSeconds: 120,
  keepFiringSeconds: hysteresisMarks.settleSeconds,
  noData: "ok",
});

/** A counter that should not increase: any increase fires, and the alert stays for ten minutes. */
const counted = (metric: Given["query"]["metric"], name: string, description: string): Given => ({
  name,
  description,
  query: { metric, groupBy: ["node", "device"] },
  condition: inMinute("increase", "above", 0),
  forSeconds: 0,
  keepFiringSeconds: 600,
  noData: "ok",
  severity: "critical",
});

/** The fill level that admission uses, which pages and commands also show. */
const vaultFilled = (rule: Pick<Given, "name" | "description" | "severity">, threshold: number): Given => ({
  ...rule,
  query: { metric: vaultSpace.taken, groupBy: ["vault"], across: "max" },
  condition: inMinute("last", "above", threshold, vaultSpace.capacity),
  forSeconds: 60,
});

/**
 * Every record has an entry in the memory of its pod's process, and the fullest process makes the vault refuse uploads.
 */
const indexFilled = (rule: Pick<Given, "name" | "description" | "severity">, threshold: number): Given => ({
  ...rule,
  query: { metric: "stashlight_pod_index_ratio", groupBy: ["vault"], across: "max" },
  condition: inMinute("last", "above", threshold),
  forSeconds: 60,
});

/** Evaluated by the model whose sentence pages show. */
const durability = (
  rule: Pick<Given, "name" | "description" | "severity">,
  figure: AlertDurabilityFigure,
  threshold: number,
): Given => ({
  ...rule,
  query: { metric: durabilityMetric, groupBy: ["vault"], across: "max" },
  condition: { kind: "durability", figure, threshold },
  forSeconds: 300,
  keepFiringSeconds: 300,
});

/** No rule adds up several vaults: one vault's full stash would be hidden by the empty ones of others. */
const builtIn: Record<string, Given> = {
  "stash-occupancy": {
    name: "Stash filling up",
    description:
      "When the stash is full, small uploads wait for HDDs. Unpurged shards count, and so do garbage and the reserve, which take the space of uploads until they are recycled.",
    query: { metric: used, groupBy: ["vault"] },
    condition: inMinute("last", "above", stashMarks.fullShare, capacity),
    forSeconds: 300,
  },
  "time-to-full": {
    name: "Stash full within the hour",
    description:
      "Uses the forecast of unpurged bytes that pages show too. It needs six hours of history, and notices new growth after 15 minutes.",
    query: { metric: "stashlight_stash_live_bytes", groupBy: ["vault"] },
    condition: {
      kind: "time-to-full",
      capacityMetric: capacity,
      thresholdSeconds: stashMarks.timeToFullSecondsBad,
    },
    forSeconds: 120,
    severity: "critical",
  },
  "vault-filling": vaultFilled(
    {
      name: `Vault ${vaultMarks.warningShare * 100} % full`,
      description:
        "The vault has little space left for new objects. Delete objects or enlarge the vault: start with --vault-size, or raise podVolume.segmentCount in the vault's file and start the pods again.",
    },
    vaultMarks.warningShare,
  ),
  "vault-full": vaultFilled(
    {
      name: "Vault full",
      description:
        "New objects are refused, or soon will be. Reads and deletes continue. Uploads are accepted again once objects are deleted or the vault is enlarged.",
      severity: "critical",
    },
    vaultMarks.fullShare,
  ),
  "vault-time-to-full": {
    name: "Vault full within 24 h",
    description:
      "Uses the forecast that pages show too, which needs six hours of history and a tenth of the space in use. Benchmarks and the demo load do not count, because they remove their objects.",
    query: { metric: vaultSpace.taken, groupBy: ["vault"], across: "max" },
    condition: {
      kind: "time-to-full",
      capacityMetric: vaultSpace.capacity,
      thresholdSeconds: vaultMarks.timeToFullSecondsWarning,
    },
    forSeconds: 600,
  },
  "index-filling": indexFilled(
    {
      name: `Index of objects ${indexMarks.warningShare * 100} % full`,
      description:
        "The processes of the pods have little memory left for entries of further objects, even if the drives have space. Give them more memory, delete objects or add a vault.",
    },
    indexMarks.warningShare,
  ),
  "index-full": indexFilled(
    {
      name: "Index of objects full",
      description:
        "New objects are refused, because the process of a pod has no memory for their entries. Reads and deletes continue. Give the process more memory, delete objects or add a vault.",
      severity: "critical",
    },
    indexMarks.fullShare,
  ),
  "index-time-to-full": {
    name: "Index of objects full within 24 h",
    description:
      "Forecasts when a vault's pods have as many records as their processes have memory for. It needs six hours of history.",
    query: { metric: "stashlight_pod_records", groupBy: ["vault"], across: "max" },
    condition: {
      kind: "time-to-full",
      capacityMetric: "stashlight_pod_records_max",
      thresholdSeconds: vaultMarks.timeToFullSecondsWarning,
    },
    forSeconds: 600,
  },
  "purge-lag": {
    name: "Purge is behind",
    description: `Shards stay on the stash for minutes: a pod does not flush, or does not purge. ${fewSamples("purges")}`,
    query: { metric: "stashlight_purge_lag_seconds", groupBy: ["vault"] },
    condition: {
      kind: "percentile",
      percentile: "p99",
      comparison: "above",
      threshold: purgeLagMarks.lateSeconds,
      sampleCountMin: MEDIAN_SAMPLES_MIN,
      windowSeconds: purgeLagMarks.windowSeconds,
    },
    forSeconds: 120,
    keepFiringSeconds: hysteresisMarks.settleSeconds,
    noData: "ok",
  },
  "uploads-shed": {
    name: "The vault sheds uploads",
    description:
      "Clients send more than the vault can handle, and some of their uploads are answered 503 SlowDown. The write path page shows why.",
    query: {
      metric: "stashlight_requests_shed_total",
      where: {
        operation: ["PutObject", "PostObject", "UploadPart", "CopyObject", "CompleteMultipartUpload"],
      },
      groupBy: ["vault"],
    },
    condition: inMinute("increase", "above", 0),
    forSeconds: 60,
    keepFiringSeconds: 300,
    noData: "ok",
  },
  "endpoint-epochs": {
    name: "Many epochs behind an endpoint",
    description:
      "The vaults behind one endpoint have shared new keys in many different ways, or a coordinator of an earlier version keeps the epochs from being merged. From half of their number on, reads of old keys ask more vaults.",
    query: { metric: "stashlight_endpoint_epochs_ratio", groupBy: ["vault"], across: "max" },
    condition: inMinute("last", "above", epochMarks.warningShare),
    forSeconds: 300,
    noData: "ok",
  },
  "fsync-ssd": slowFsync("stash", "SSD"),
  "fsync-hdd": slowFsync("pod", "HDD"),
  "drive-slow": {
    name: "Drive slower than its peers",
    description: `At least ${SLOW_HOURS} of the last ${SLOW_WITHIN_HOURS} hours of a vault's drive were slower than its peers in the same role at the same throughput and queue. The drive's page shows the evidence, and what quarantine would cost.`,
    query: {
      metric: peersMetric,
      where: { tier: ["pod", "stash"] },
      groupBy: ["node", "device"],
      across: "max",
    },
    condition: { kind: "peers", threshold: SLOW_HOURS - 1 },
    forSeconds: 0,
    keepFiringSeconds: 3_600,
    // Verdicts are lost when a worker restarts, and return within minutes.
    noData: "keep",
  },
  "commit-ssd": slowCommits("stash", "SSD"),
  "commit-hdd": slowCommits("pod", "HDD"),
  "fsync-errors": counted(
    "stashlight_fsync_errors_total",
    "fsync failed",
    "A failed sync takes its volume out of use, because the drive's reports of durable data cannot be trusted.",
  ),
  "drive-failures": counted(
    "stashlight_drive_failures_total",
    "Drive failed",
    "A drive was closed because it failed or took too long to answer.",
  ),
  "records-corrupt": {
    ...counted(
      "stashlight_records_corrupt_total",
      "Records of a drive fail their checksum",
      "The drive twice returned bytes that differ from those written to it. The other drives' shards replace it.",
    ),
    severity: "warning",
  },
  "corrupt-waiting": {
    name: "Corrupt records wait for repair",
    description:
      "Records that fail their checksum were not replaced within ten minutes: too few other drives answer, or each repair waits because damage is correlated.",
    query: { metric: "stashlight_drive_corrupt_records", groupBy: ["node", "device"], across: "max" },
    condition: inMinute("last", "above", 0),
    forSeconds: 600,
    noData: "ok",
    severity: "critical",
  },
  "damage-correlated": {
    name: "Damage is correlated",
    description:
      "Many records of a drive were found corrupt in a short time. A controller, cable or memory is likelier than rot, so each repair waits for minutes, in case the fault passes.",
    query: { metric: "stashlight_drive_damage_correlated", groupBy: ["node", "device"], across: "max" },
    condition: inMinute("max", "above", 0),
    forSeconds: 0,
    keepFiringSeconds: 600,
    noData: "ok",
    severity: "critical",
  },
  "read-errors": {
    ...counted(
      "stashlight_read_errors_total",
      "Reads of a drive fail",
      "The drive answers reads with errors. Its data may be intact, and is read from other drives meanwhile.",
    ),
    severity: "warning",
  },
  "objects-lost": {
    name: "Objects cannot be read",
    description:
      "Too few shards of some objects can be read. They stay listed and come back by themselves when their drives do; vault lost names them.",
    query: { metric: "stashlight_objects_lost", groupBy: ["vault"], across: "max" },
    condition: inMinute("last", "above", 0),
    forSeconds: 60,
    noData: "ok",
    severity: "critical",
  },
  "scrub-late": {
    name: "Scrub is late",
    description: `Some of a drive's data was not verified for more than ${scrubMarks.lateRounds} rounds: the drive was closed for long, or cannot be read at the rate that its round takes.`,
    query: {
      metric: "stashlight_scrub_oldest_unverified_seconds",
      groupBy: ["node", "device"],
      across: "max",
    },
    condition: inMinute("last", "above", scrubMarks.lateRounds, "stashlight_scrub_round_seconds"),
    forSeconds: 3_600,
    noData: "ok",
  },
  "drive-down": {
    name: "Drive not running",
    description:
      "A failed drive is checked for repeatedly; until it is back, its shards are only on the other drives.",
    query: { metric: "stashlight_drive_running", groupBy: ["node", "device"], across: "min" },
    condition: inMinute("last", "below", 1),
    forSeconds: 60,
    noData: "ok",
    severity: "critical",
  },
  "drive-unhealthy": {
    name: "Drive failure predicted",
    description:
      "SMART reports that a drive of a watched machine will fail, that it has a critical warning such as no spare blocks, or that it could not correct errors (SAS). Replace it while it still answers.",
    query: { metric: "stashlight_device_healthy", groupBy: ["node", "device"], across: "min" },
    condition: inMinute("last", "below", 1),
    forSeconds: 60,
    noData: "ok",
    severity: "critical",
  },
  "drive-worn-out": {
    name: `SSD worn out within ${wearMarks.wornOutDaysWarning} days`,
    description:
      "By the wear that the drive reports and the trend of the bytes that are written to it, which the drive's page shows too. Drives of which less than a tenth is used have no forecast.",
    query: { metric: wearSpace.taken, groupBy: ["node", "device"], across: "max" },
    condition: {
      kind: "time-to-full",
      capacityMetric: wearSpace.capacity,
      thresholdSeconds: wearMarks.wornOutDaysWarning * DAY_SECONDS,
    },
    forSeconds: 3_600,
    noData: "ok",
  },
  "filesystem-filling": {
    name: `File system ${filesystemMarks.warningShare * 100} % full`,
    description: "A file system of a watched machine has little space left. Delete files or enlarge it.",
    query: { metric: "stashlight_filesystem_used_bytes", groupBy: ["node", "filesystem"] },
    condition: inMinute(
      "last",
      "above",
      filesystemMarks.warningShare,
      "stashlight_filesystem_capacity_bytes",
    ),
    forSeconds: 300,
    noData: "ok",
  },
  "journal-filling": {
    name: `Journal ${filesystemMarks.warningShare * 100} % full`,
    description:
      "The device that a scraped store keeps its database or its write-ahead log on has little space left. What does not fit goes to the slow drive.",
    query: {
      metric: "stashlight_journal_used_bytes",
      where: { part: ["db", "wal"] },
      groupBy: ["node", "device", "part"],
    },
    condition: inMinute("last", "above", filesystemMarks.warningShare, "stashlight_journal_capacity_bytes"),
    forSeconds: 300,
    noData: "ok",
  },
  "scrape-failing": {
    name: "Scraped store does not answer",
    description:
      "An address of a scrape file does not answer with known metrics; its data about drives is missing meanwhile. The agent's log has the address and the reason.",
    query: { metric: "stashlight_scrape_answering", groupBy: ["node", "source"], across: "min" },
    condition: inMinute("last", "below", 1),
    forSeconds: 120,
    noData: "ok",
  },
  "process-failing": {
    name: "Process keeps failing",
    description:
      "A process of npm start has failed at least three times in a row and is restarted again and again; all others continue. If it is the worker or the database, no rule is evaluated meanwhile, and the terminal of npm start names it.",
    query: { metric: "stashlight_process_steady", groupBy: ["node", "process"], across: "min" },
    condition: inMinute("last", "below", 1),
    forSeconds: 0,
    keepFiringSeconds: 60,
    noData: "ok",
  },
  "node-silence": {
    name: "Node silent",
    description:
      "A node sends every few seconds. If it sends nothing, the node, its network or the ingest is down.",
    query: { metric: "stashlight_agent_resident_bytes", groupBy: ["node"] },
    condition: { kind: "absence", minutes: silenceMarks.alertAfterMinutes },
    forSeconds: 0,
    keepFiringSeconds: 30,
    severity: "critical",
  },
  "certificate-ends": {
    name: `Certificate ends within ${certificateMarks.alertDaysLeft} days`,
    description:
      "Nodes refuse each other once a certificate has expired. Renew all certificates of the vault with vault renew; nothing is restarted.",
    query: { metric: "stashlight_certificate_remaining_seconds", groupBy: ["vault"], across: "min" },
    condition: inMinute("last", "below", certificateMarks.alertDaysLeft * DAY_SECONDS),
    forSeconds: 60,
    severity: "critical",
  },
  "durable-margin": {
    name: "Durable margin below the quorum",
    description:
      "An acknowledged upload has all of its shards but one durable, whatever the vault's scheme is; fewer means that nodes are away or shards were lost.",
    query: { metric: "stashlight_durable_missing_shards", groupBy: ["vault"], across: "max" },
    condition: inMinute("max", "above", 0),
    forSeconds: 120,
    severity: "critical",
  },
  "nines-below-target": durability(
    {
      name: "Nines below the target",
      description: `The model's whole interval for data that is stored now is below ${durabilityMarks.ninesTarget} nines a year. The vault's page shows the sentence, the figures behind it and what they assume.`,
      severity: "warning",
    },
    "nines",
    durabilityMarks.ninesTarget,
  ),
  "margin-thin": durability(
    {
      name: "Margin is thin",
      description:
        "Less than half of the parity shards may still be lost, because pods are away or lack shards. The vault's page shows until when, the chance of loss until then, and what would shorten it.",
      severity: "critical",
    },
    "spare-parity",
    durabilityMarks.thinSpareShare,
  ),
};

export const builtInRules: readonly (readonly [string, AlertRuleInput])[] = Object.entries(builtIn).map(
  ([key, rule]) => [key, alertRuleInput.parse(rule)],
);

/** Creates missing built-in rules, and updates untouched ones. */
export async function ensureAlertRules(platform: Core): Promise<void> {
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
      ...storedTerms(rule),
      createdAt: at,
      updatedAt: at,
    })),
    skipDuplicates: true,
  });
}
