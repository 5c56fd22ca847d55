/** Map of the vault: one cell per drive with its state, lag and fill. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { formatFill, measureFill, measureStash, podSpace } from "@stashlight/contracts/space";
import { formatCount, formatSpan, type Status } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { statusOfCorrupt } from "./integrity-figures.ts";
import { statusOfFill, statusOfVaultFill } from "./limits.ts";

const newest = { pointCountMax: 20, summarise: true } as const;
const byDevice = { ...newest, groupBy: ["node", "device"] } satisfies Partial<MetricSelection>;

/** Queries of the map. */
export const vaultSelections: readonly MetricSelection[] = [
  {
    metric: "stashlight_drive_running",
    groupBy: ["node", "tier", "device"],
    across: "min",
    ...newest,
  },
  { metric: "stashlight_stash_live_bytes", ...byDevice },
  { metric: "stashlight_stash_dead_bytes", ...byDevice },
  { metric: "stashlight_stash_used_bytes", ...byDevice },
  { metric: "stashlight_stash_capacity_bytes", ...byDevice },
  { metric: "stashlight_stash_oldest_unpurged_seconds", ...byDevice, across: "max" },
  { metric: podSpace.taken, ...byDevice },
  { metric: podSpace.capacity, ...byDevice },
  { metric: "stashlight_flush_backlog_shards", ...byDevice },
  { metric: "stashlight_drive_corrupt_records", ...byDevice, across: "max" },
  { metric: "stashlight_drive_damage_correlated", ...byDevice, across: "max" },
];

export interface VaultCell {
  readonly node: string;
  readonly device: string;
  readonly tier: "pod" | "stash";
  readonly status: Status;
  /** From 0 to 1: fill of a pod's drive, or share of unpurged shards of a stash device. */
  readonly fill: number | null;
  /** Short backlog: shards of a pod not yet durable, or the age of a stash device's oldest unpurged shard. */
  readonly lag: string | null;
  /** Short form of the backlog, for cells whose heading names the unit. */
  readonly lagBrief: string | null;
  /** Full description of the cell. */
  readonly sentence: string;
}

export interface VaultCells {
  readonly pods: readonly VaultCell[];
  readonly stashNodes: readonly { readonly node: string; readonly cells: readonly VaultCell[] }[];
}

export interface CellTimes {
  readonly nowMs: number;
  /** A drive whose newest report is older than this is silent. */
  readonly staleAfterMs: number;
  /** Names of silent nodes. */
  readonly silentNodes: ReadonlySet<string>;
}

/** One cell for every drive that reported in the time range. */
export function vaultCells(
  answers: readonly MetricAnswer[],
  { nowMs, staleAfterMs, silentNodes }: CellTimes,
): VaultCells {
  const figures = new Map(answers.map((answer) => [answer.metric, newestByDrive(answer)]));
  const newestValue = (metric: MetricName, key: string) => figures.get(metric)?.get(key) ?? null;
  const running = answerTo(answers, "stashlight_drive_running");
  const cells = (running?.series ?? []).flatMap((series): VaultCell[] => {
    const { node = "", device = "", tier } = series.labels;
    if (tier !== "pod" && tier !== "stash") return [];
    const read = (metric: MetricName) => newestValue(metric, driveKey(series));
    const { fill, words, ...ofFill } = (tier === "pod" ? measurePodSpace : measureStashSpace)(read);
    const isSilent = silentNodes.has(node) || nowMs - (series.endMs.at(-1) ?? 0) > staleAfterMs;
    const isRunning = read("stashlight_drive_running") === 1;
    const lag =
      tier === "pod"
        ? formatBacklog(read("stashlight_flush_backlog_shards"))
        : formatOldest(
            read("stashlight_stash_oldest_unpurged_seconds"),
            (read("stashlight_stash_live_bytes") ?? 0) > 0,
          );
    const corruptCount = read("stashlight_drive_corrupt_records") ?? 0;
    const damageStatus = statusOfCorrupt(corruptCount, read("stashlight_drive_damage_correlated") === 1);
    const status = isSilent ? "unknown" : isRunning ? worseStatus(ofFill.status, damageStatus) : "bad";
    const state = isSilent ? "silent" : isRunning ? "running" : "not running";
    const parts = [state, words, lag?.long ?? null, formatCorrupt(corruptCount)];
    return [
      {
        node,
        device,
        tier,
        status,
        fill,
        lag: lag?.short ?? null,
        lagBrief: lag?.brief ?? null,
        sentence: `${tier === "pod" ? "Pod" : "Stash device"} ${device}: ${parts.filter((part) => part !== null).join(", ")}`,
      },
    ];
  });
  return layOut(cells);
}

interface DriveSpace {
  readonly fill: number | null;
  readonly words: string | null;
  readonly status: Status;
}

type Read = (metric: MetricName) => number | null;

/** A running drive may not have reported its space. */
const unknownSpace: DriveSpace = { fill: null, words: null, status: "good" };

/** All figures of a drive come in one window, so their times are equal. */
const measured = (bytes: number | null) => (bytes === null ? null : { bytes, atMs: 0 });

function measurePodSpace(read: Read): DriveSpace {
  const [objects, room] = [podSpace.taken, podSpace.capacity].map((metric) => measured(read(metric)));
  const fill = measureFill({ objects: objects ?? null, room: room ?? null });
  if (fill === null) return unknownSpace;
  return { fill: fill.share, words: `${formatFill(fill.share)} full`, status: statusOfVaultFill(fill.share) };
}

function measureStashSpace(read: Read): DriveSpace {
  const space = measureStash({
    live: measured(read("stashlight_stash_live_bytes")),
    garbage: measured(read("stashlight_stash_dead_bytes")),
    used: measured(read("stashlight_stash_used_bytes")),
    capacity: measured(read("stashlight_stash_capacity_bytes")),
  });
  if (space === null) return unknownSpace;
  const { occupiedShare, garbageShare, closedShare } = space;
  const words = `${formatFill(occupiedShare)} occupied, ${formatFill(garbageShare)} garbage`;
  return { fill: occupiedShare, words, status: statusOfFill(closedShare) };
}

const worseStatus = (one: Status, other: Status): Status =>
  one === "bad" || (one === "warning" && other !== "bad") ? one : other;

const formatCorrupt = (count: number): string | null =>
  count === 0 ? null : `${formatCount(count)} ${count === 1 ? "record" : "records"} corrupt`;

interface Lag {
  readonly brief: string;
  readonly short: string;
  readonly long: string;
}

function formatBacklog(count: number | null): Lag | null {
  if (count === null) return null;
  const short = `${formatCount(count)} ${count === 1 ? "shard" : "shards"}`;
  const brief = count < 10_000 ? String(count) : `${Math.round(count / 1000)} k`;
  return { brief, short, long: `${short} not durable` };
}

/** An age of 0 means that shards were just written, if the device holds any. */
function formatOldest(seconds: number | null, holdsShards: boolean): Lag | null {
  if (seconds === null) return null;
  if (seconds === 0) {
    return holdsShards
      ? { brief: "< 1 s", short: "< 1 s", long: "the oldest shard has waited for less than 1 s" }
      : { brief: "empty", short: "empty", long: "no shard waits" };
  }
  const { value, unit } = formatQuantity("seconds", seconds);
  const brief = seconds < 1 ? "< 1 s" : formatSpan(1000 * seconds);
  return { brief, short: `${value} ${unit}`, long: `the oldest shard has waited for ${value} ${unit}` };
}

const driveKey = ({ labels: { node, device } }: MetricSeries): string => `${node} ${device}`;

function newestByDrive(answer: MetricAnswer): Map<string, number> {
  return new Map(
    answer.series.flatMap((series) => {
      const newest = series.columns.kind === "gauge" ? series.columns.last.at(-1) : undefined;
      return newest === undefined ? [] : [[driveKey(series), newest] as const];
    }),
  );
}

const collator = new Intl.Collator("en", { numeric: true });

function layOut(cells: readonly VaultCell[]): VaultCells {
  const sorted = cells.toSorted(
    (a, b) => collator.compare(a.device, b.device) || collator.compare(a.node, b.node),
  );
  const stash = Map.groupBy(
    sorted.filter(({ tier }) => tier === "stash"),
    ({ node }) => node,
  );
  return {
    pods: sorted.filter(({ tier }) => tier === "pod"),
    stashNodes: [...stash]
      .map(([node, ofNode]) => ({ node, cells: ofNode }))
      .sort((a, b) => collator.compare(a.node, b.node)),
  };
}
