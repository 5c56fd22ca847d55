/**
 * The inputs in words, so that a form and the command line say the same of them. A field is shown in `unit`, which is
 * `factor` of what is stored: a capacity of 3.2e12 bytes is 3.2 TB. `defaultFrom` tells where the default comes from.
 */
import { type Bounds, boundsAt } from "./bounds.ts";

export const planGroups = [
  { id: "objects", label: "Objects" },
  { id: "load", label: "Load" },
  { id: "residence", label: "Residence and outage" },
  { id: "drive", label: "Drive" },
  { id: "servers", label: "Servers and placement" },
  { id: "limits", label: "Limits and the log" },
  { id: "cost", label: "Endurance and cost" },
  { id: "risk", label: "Risk" },
  { id: "installed", label: "Installed" },
] as const;
export type PlanGroup = (typeof planGroups)[number]["id"];

export interface PlanField {
  /** As problems name it, without the index of a list: `objects.bytes`, `drive.priceUsd`. */
  readonly path: string;
  readonly label: string;
  readonly group: PlanGroup;
  /** As shown; empty for plain numbers and text. */
  readonly unit: string;
  readonly factor: number;
  /** As shown. */
  readonly step: number;
  readonly help: string;
  readonly defaultFrom: string;
  /** As stored; null for text. */
  readonly bounds: Bounds | null;
}

/** Without a unit it is a plain number or text; factor and step are 1 where nothing is said. */
type Row = Pick<PlanField, "path" | "label" | "help" | "defaultFrom"> &
  Partial<Pick<PlanField, "unit" | "factor" | "step">>;

const EXAMPLE = "Example";
const VECTOR = "Example; the vault of the demo has it too";
const DATASHEET = "Micron 7450 MAX datasheet, as printed in the published comparison, 2022-03";
const PERCENT = 0.01;
const TB = 1e12;
const MB = 1e6;

const rows: Readonly<Record<PlanGroup, readonly Row[]>> = {
  objects: [
    {
      path: "objects.bytes",
      label: "Object size",
      unit: "kB",
      factor: 1e3,
      help: "Size of small uploads; larger ones never touch the stash.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "objects.share",
      label: "Share",
      help: "Weight of this size among all uploads; shares need not add up.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "dataShards",
      label: "Data shards",
      help: "k: any so many shards of an upload restore it.",
      defaultFrom: VECTOR,
    },
    {
      path: "parityShards",
      label: "Parity shards",
      help: "m: so many shards of an upload may be lost.",
      defaultFrom: VECTOR,
    },
  ],
  load: [
    {
      path: "uploadsPerSecond",
      label: "Small uploads",
      unit: "1/s",
      step: 10,
      help: "Mean rate of uploads that go by the stash.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "peakFactor",
      label: "Peak factor",
      unit: "x",
      step: 0.1,
      help: "The busiest minute against the mean.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "growthPerYear",
      label: "Growth",
      unit: "% a year",
      factor: PERCENT,
      help: "By how much uploads grow in a year.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "horizonYears",
      label: "Horizon",
      unit: "years",
      step: 0.5,
      help: "The pool must suffice for the load in so many years.",
      defaultFrom: EXAMPLE,
    },
  ],
  residence: [
    {
      path: "residenceSecondsMean",
      label: "Residence, mean",
      unit: "s",
      help: "From a shard being durable on the stash to its purge.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "residenceSecondsP99",
      label: "Residence, p99",
      unit: "s",
      help: "One shard in a hundred stays longer.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "outageSeconds",
      label: "Outage to outlast",
      unit: "s",
      step: 60,
      help: "Pods may flush nothing for so long at peak load before the stash is full.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "podFlushBytesPerSecond",
      label: "A pod flushes",
      unit: "MB/s",
      factor: MB,
      help: "What one pod makes durable when it does nothing else; empty when it is not known.",
      defaultFrom: "Not known until it is measured",
    },
  ],
  drive: [
    { path: "drive.name", label: "Drive", help: "Name of the drive.", defaultFrom: DATASHEET },
    {
      path: "drive.capacityBytes",
      label: "Capacity",
      unit: "TB",
      factor: TB,
      step: 0.1,
      help: "As sold, in TB of 10^12 bytes.",
      defaultFrom: DATASHEET,
    },
    {
      path: "drive.writeBytesPerSecond",
      label: "Sequential write",
      unit: "MB/s",
      factor: MB,
      step: 10,
      help: "Sustained, not from a cache.",
      defaultFrom: DATASHEET,
    },
    {
      path: "drive.writeIops",
      label: "Random write",
      unit: "IOPS",
      step: 1000,
      help: "4 KiB writes a second, sustained.",
      defaultFrom: DATASHEET,
    },
    {
      path: "drive.fsyncPerSecond",
      label: "Syncs",
      unit: "1/s",
      step: 100,
      help: "Group commits that the drive makes durable in a second. Measure it: no datasheet prints it.",
      defaultFrom: "Assumption; run the fsync probe",
    },
    {
      path: "drive.driveWritesPerDay",
      label: "Endurance",
      unit: "DWPD",
      step: 0.1,
      help: "Drive writes a day over the warranty.",
      defaultFrom: "Micron 7450 MAX, mixed use, at launch, 2022-03",
    },
    {
      path: "drive.warrantyYears",
      label: "Warranty",
      unit: "years",
      help: "The years for which the endurance is rated.",
      defaultFrom: "Usual term of data centre SSDs; depends on the seller, 2022-03",
    },
    {
      path: "drive.priceUsd",
      label: "Price of a drive",
      unit: "$",
      step: 10,
      help: "What you pay for one.",
      defaultFrom: "Published comparison: $360 for 3.2 TB",
    },
  ],
  servers: [
    {
      path: "drivesPerServer",
      label: "Drives a server",
      help: "Drives that a stash server takes.",
      defaultFrom: "Published comparison: 10 a server",
    },
    {
      path: "serverFailuresTolerated",
      label: "Dead servers",
      help: "Stash servers that may die together with a power cut without losing an acknowledged upload.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "serverPriceUsd",
      label: "Price of a server",
      unit: "$",
      step: 100,
      help: "Without drives.",
      defaultFrom: "Assumption; write yours",
    },
  ],
  limits: [
    {
      path: "usableFraction",
      label: "Usable part",
      unit: "%",
      factor: PERCENT,
      help: "Of a drive's capacity, what records can use; headers and spare segments take the rest.",
      defaultFrom: "Assumption",
    },
    {
      path: "maxFill",
      label: "Fill limit",
      unit: "%",
      factor: PERCENT,
      help: "Planned fill; at 75 % the coordinator sends uploads around the stash.",
      defaultFrom: "House rule: 5 % below where uploads go around the stash",
    },
    {
      path: "maxUtilisation",
      label: "Busy limit",
      unit: "%",
      factor: PERCENT,
      help: "Share of time a drive may be busy; at 60 % a queue takes 2.5 times the bare service.",
      defaultFrom: "House rule: stretch 1/(1 - 0.6) = 2.5",
    },
    {
      path: "recordHeaderBytes",
      label: "Record header",
      unit: "B",
      help: "What the log writes before each shard; keys and metadata add to it.",
      defaultFrom: "The format of the shard log",
    },
    {
      path: "recordAlignBytes",
      label: "Record alignment",
      unit: "B",
      help: "Records are rounded up to a multiple of it.",
      defaultFrom: "The format of the shard log",
    },
    {
      path: "logWriteAmplification",
      label: "Log amplification",
      unit: "x",
      step: 0.01,
      help: "Bytes that the log writes for a byte of records.",
      defaultFrom: "Assumption; take it from the fleet",
    },
    {
      path: "writesPerShard",
      label: "Writes a shard",
      step: 0.1,
      help: "Below 1 where one write carries many shards.",
      defaultFrom: "At most one",
    },
    {
      path: "purgeWritesPerShard",
      label: "Purge writes a shard",
      step: 0.1,
      help: "Purges are written down many at a time.",
      defaultFrom: "Assumption",
    },
    {
      path: "shardsPerCommit",
      label: "Shards a commit",
      help: "Shards that one sync makes durable.",
      defaultFrom: "Assumption; take it from the fleet",
    },
  ],
  cost: [
    {
      path: "serviceYears",
      label: "Service",
      unit: "years",
      step: 0.5,
      help: "How long drives are to serve.",
      defaultFrom: "The warranty's term",
    },
    {
      path: "deviceWriteAmplificationRatio",
      label: "Device amplification",
      unit: "x",
      step: 0.1,
      help: "The drive's own amplification in this use against that of its rating; a log is written in sequence, so 1 is careful.",
      defaultFrom: "Assumption",
    },
    {
      path: "vaultBytes",
      label: "Data of the vault",
      unit: "TB",
      factor: TB,
      step: 100,
      help: "What clients keep in it, without parity: for the cost of a vault on SSDs alone.",
      defaultFrom: EXAMPLE,
    },
    {
      path: "hddPriceUsdPerTb",
      label: "Price of HDD",
      unit: "$/TB",
      step: 0.25,
      help: "For the vault's pods.",
      defaultFrom: "Published comparison: $260 for 16 TB, 2020-07",
    },
  ],
  risk: [
    {
      path: "ssdAnnualFailureRate",
      label: "SSDs that fail",
      unit: "% a year",
      factor: PERCENT,
      step: 0.01,
      help: "Annual failure rate of stash drives.",
      defaultFrom: "Datasheets' MTTF of 2 million hours: 8,760 / 2,000,000",
    },
    {
      path: "hddAnnualFailureRate",
      label: "HDDs that fail",
      unit: "% a year",
      factor: PERCENT,
      step: 0.01,
      help: "Annual failure rate of pods' drives.",
      defaultFrom: "Backblaze Drive Stats, Q3 2025",
    },
    {
      path: "hddsPerPod",
      label: "HDDs a pod",
      help: "While a failed one is replaced, the stash holds the only copy of its shards.",
      defaultFrom: "The vault of the demo",
    },
    {
      path: "outagesPerYear",
      label: "Outages",
      unit: "a year",
      step: 0.1,
      help: "How often pods are away for as long as the outage of the plan.",
      defaultFrom: "Assumption",
    },
  ],
  installed: [
    {
      path: "installed.servers",
      label: "Servers",
      help: "Stash servers that are there.",
      defaultFrom: "Nothing is installed",
    },
    {
      path: "installed.drivesPerServer",
      label: "Drives in each",
      help: "Drives in each of them, of the kind above.",
      defaultFrom: "Nothing is installed",
    },
  ],
};

export const planFields: readonly PlanField[] = planGroups.flatMap(({ id }) =>
  rows[id].map((row) => ({
    ...{ unit: "", factor: 1, step: 1, group: id, bounds: boundsAt(row.path) },
    ...row,
  })),
);
