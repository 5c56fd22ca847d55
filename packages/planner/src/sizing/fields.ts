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

type Row = readonly [
  path: string,
  label: string,
  unit: string,
  factor: number,
  step: number,
  help: string,
  defaultFrom: string,
];

const EXAMPLE = "Example";
const VECTOR = "Example; the vault of the demo has it too";
const DATASHEET = "Micron 7450 MAX datasheet, as printed in the published comparison, 2022-03";
const PERCENT = 0.01;
const TB = 1e12;
const MB = 1e6;

const rows: Readonly<Record<PlanGroup, readonly Row[]>> = {
  objects: [
    [
      "objects.bytes",
      "Object size",
      "kB",
      1e3,
      1,
      "Size of small uploads; larger ones never touch the stash.",
      EXAMPLE,
    ],
    [
      "objects.share",
      "Share",
      "",
      1,
      1,
      "Weight of this size among all uploads; shares need not add up.",
      EXAMPLE,
    ],
    ["dataShards", "Data shards", "", 1, 1, "k: any so many shards of an upload restore it.", VECTOR],
    ["parityShards", "Parity shards", "", 1, 1, "m: so many shards of an upload may be lost.", VECTOR],
  ],
  load: [
    [
      "uploadsPerSecond",
      "Small uploads",
      "1/s",
      1,
      10,
      "Mean rate of uploads that go by the stash.",
      EXAMPLE,
    ],
    ["peakFactor", "Peak factor", "x", 1, 0.1, "The busiest minute against the mean.", EXAMPLE],
    ["growthPerYear", "Growth", "% a year", PERCENT, 1, "By how much uploads grow in a year.", EXAMPLE],
    [
      "horizonYears",
      "Horizon",
      "years",
      1,
      0.5,
      "The pool must suffice for the load in so many years.",
      EXAMPLE,
    ],
  ],
  residence: [
    [
      "residenceSecondsMean",
      "Residence, mean",
      "s",
      1,
      1,
      "From a shard being durable on the stash to its purge.",
      EXAMPLE,
    ],
    ["residenceSecondsP99", "Residence, p99", "s", 1, 1, "One shard in a hundred stays longer.", EXAMPLE],
    [
      "outageSeconds",
      "Outage to outlast",
      "s",
      1,
      60,
      "Pods may flush nothing for so long at peak load before the stash is full.",
      EXAMPLE,
    ],
    [
      "podFlushBytesPerSecond",
      "A pod flushes",
      "MB/s",
      MB,
      1,
      "What one pod makes durable when it does nothing else; empty when it is not known.",
      "Not known until it is measured",
    ],
  ],
  drive: [
    ["drive.name", "Drive", "", 1, 1, "Name of the drive.", DATASHEET],
    ["drive.capacityBytes", "Capacity", "TB", TB, 0.1, "As sold, in TB of 10^12 bytes.", DATASHEET],
    [
      "drive.writeBytesPerSecond",
      "Sequential write",
      "MB/s",
      MB,
      10,
      "Sustained, not from a cache.",
      DATASHEET,
    ],
    ["drive.writeIops", "Random write", "IOPS", 1, 1000, "4 KiB writes a second, sustained.", DATASHEET],
    [
      "drive.fsyncPerSecond",
      "Syncs",
      "1/s",
      1,
      100,
      "Group commits that the drive makes durable in a second. Measure it: no datasheet prints it.",
      "Assumption; run the fsync probe",
    ],
    [
      "drive.driveWritesPerDay",
      "Endurance",
      "DWPD",
      1,
      0.1,
      "Drive writes a day over the warranty.",
      "Micron 7450 MAX, mixed use, at launch, 2022-03",
    ],
    [
      "drive.warrantyYears",
      "Warranty",
      "years",
      1,
      1,
      "The years for which the endurance is rated.",
      "Usual term of data centre SSDs; depends on the seller, 2022-03",
    ],
    [
      "drive.priceUsd",
      "Price of a drive",
      "$",
      1,
      10,
      "What you pay for one.",
      "Published comparison: $360 for 3.2 TB",
    ],
  ],
  servers: [
    [
      "drivesPerServer",
      "Drives a server",
      "",
      1,
      1,
      "Drives that a stash server takes.",
      "Published comparison: 10 a server",
    ],
    [
      "serverFailuresTolerated",
      "Dead servers",
      "",
      1,
      1,
      "Stash servers that may die together with a power cut without losing an acknowledged upload.",
      EXAMPLE,
    ],
    ["serverPriceUsd", "Price of a server", "$", 1, 100, "Without drives.", "Assumption; write yours"],
  ],
  limits: [
    [
      "usableFraction",
      "Usable part",
      "%",
      PERCENT,
      1,
      "Of a drive's capacity, what records can use; headers and spare segments take the rest.",
      "Assumption",
    ],
    [
      "maxFill",
      "Fill limit",
      "%",
      PERCENT,
      1,
      "Planned fill; at 75 % the coordinator sends uploads around the stash.",
      "House rule: 5 % below where uploads go around the stash",
    ],
    [
      "maxUtilisation",
      "Busy limit",
      "%",
      PERCENT,
      1,
      "Share of time a drive may be busy; at 60 % a queue takes 2.5 times the bare service.",
      "House rule: stretch 1/(1 - 0.6) = 2.5",
    ],
    [
      "recordHeaderBytes",
      "Record header",
      "B",
      1,
      1,
      "What the log writes before each shard; keys and metadata add to it.",
      "The format of the shard log",
    ],
    [
      "recordAlignBytes",
      "Record alignment",
      "B",
      1,
      1,
      "Records are rounded up to a multiple of it.",
      "The format of the shard log",
    ],
    [
      "logWriteAmplification",
      "Log amplification",
      "x",
      1,
      0.01,
      "Bytes that the log writes for a byte of records.",
      "Assumption; take it from the fleet",
    ],
    [
      "writesPerShard",
      "Writes a shard",
      "",
      1,
      0.1,
      "Below 1 where one write carries many shards.",
      "At most one",
    ],
    [
      "purgeWritesPerShard",
      "Purge writes a shard",
      "",
      1,
      0.1,
      "Purges are written down many at a time.",
      "Assumption",
    ],
    [
      "shardsPerCommit",
      "Shards a commit",
      "",
      1,
      1,
      "Shards that one sync makes durable.",
      "Assumption; take it from the fleet",
    ],
  ],
  cost: [
    ["serviceYears", "Service", "years", 1, 0.5, "How long drives are to serve.", "The warranty's term"],
    [
      "deviceWriteAmplificationRatio",
      "Device amplification",
      "x",
      1,
      0.1,
      "The drive's own amplification in this use against that of its rating; a log is written in sequence, so 1 is careful.",
      "Assumption",
    ],
    [
      "vaultBytes",
      "Data of the vault",
      "TB",
      TB,
      100,
      "What clients keep in it, without parity: for the cost of a vault on SSDs alone.",
      EXAMPLE,
    ],
    [
      "hddPriceUsdPerTb",
      "Price of HDD",
      "$/TB",
      1,
      0.25,
      "For the vault's pods.",
      "Published comparison: $260 for 16 TB, 2020-07",
    ],
  ],
  risk: [
    [
      "ssdAnnualFailureRate",
      "SSDs that fail",
      "% a year",
      PERCENT,
      0.01,
      "Annual failure rate of stash drives.",
      "Datasheets' MTTF of 2 million hours: 8,760 / 2,000,000",
    ],
    [
      "hddAnnualFailureRate",
      "HDDs that fail",
      "% a year",
      PERCENT,
      0.01,
      "Annual failure rate of pods' drives.",
      "Backblaze Drive Stats, Q3 2025",
    ],
    [
      "hddsPerPod",
      "HDDs a pod",
      "",
      1,
      1,
      "While a failed one is replaced, the stash holds the only copy of its shards.",
      "The vault of the demo",
    ],
    [
      "outagesPerYear",
      "Outages",
      "a year",
      1,
      0.1,
      "How often pods are away for as long as the outage of the plan.",
      "Assumption",
    ],
  ],
  installed: [
    ["installed.servers", "Servers", "", 1, 1, "Stash servers that are there.", "Nothing is installed"],
    [
      "installed.drivesPerServer",
      "Drives in each",
      "",
      1,
      1,
      "Drives in each of them, of the kind above.",
      "Nothing is installed",
    ],
  ],
};

export const planFields: readonly PlanField[] = planGroups.flatMap(({ id }) =>
  rows[id].map(([path, label, unit, factor, step, help, defaultFrom]) => ({
    ...{ path, label, group: id, unit, factor, step, help, defaultFrom },
    bounds: boundsAt(path),
  })),
);
