/** Reads the drives of a vault in one role, and judges each by the others at the same load. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";
import {
  type DriveKind,
  type DriveWindow,
  findFirmwareCluster,
  judgePeers,
  type PeerDrive,
  type PeerJudgement,
  type PeerJudgements,
} from "@stashlight/stats/fail-slow";
import type { WithMerger } from "../metrics/query/merger.ts";
import { answerMetric } from "../metrics/query/query.ts";
import { present } from "../present.ts";
import { describePeerVerdict } from "./peer-sentence.ts";

export const PEER_WINDOW_MS = 10 * MINUTE_MS;
const HISTORY_MS = 7 * DAY_MS;

export interface PeerGroupName {
  readonly vault: string;
  readonly tier: "pod" | "stash";
}

interface Range extends PeerGroupName {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PeerGroup {
  readonly fromMs: number;
  readonly drives: readonly PeerDrive[];
  readonly judgements: PeerJudgements;
  readonly kinds: readonly DriveKind[];
}

export interface PeerVerdict {
  readonly judgement: PeerJudgement;
  readonly sentence: string;
  readonly sinceMs: number | null;
  readonly peerCount: number;
}

export const lastPeerWindowMs = (nowMs: number): number =>
  Math.floor(nowMs / PEER_WINDOW_MS) * PEER_WINDOW_MS;

/** Judges the windows of the last week that have ended. */
export async function readPeerGroup(
  platform: WithMerger,
  { vault, tier }: PeerGroupName,
  nowMs: number,
): Promise<PeerGroup> {
  const toMs = lastPeerWindowMs(nowMs);
  const range: Range = { vault, tier, fromMs: toMs - HISTORY_MS, toMs };
  const ask = (metric: MetricName, isOfTier = true) => askDrives(platform, range, metric, isOfTier);
  const [syncs, written, queues, kinds] = await Promise.all([
    ask("stashlight_fsync_seconds"),
    ask("stashlight_shard_written_bytes_total"),
    tier === "pod" ? ask("stashlight_flush_backlog_shards", false) : ask("stashlight_device_queue_requests"),
    readKinds(platform, range),
  ]);
  const drives = toPeerDrives(range, { syncs, written, queues });
  const judgements = judgePeers(drives, { windowSeconds: PEER_WINDOW_MS / 1000 });
  return { fromMs: range.fromMs, drives, judgements, kinds };
}

/** Returns the verdict on one drive of the group. */
export function findPeerVerdict(
  { fromMs, drives, judgements, kinds }: PeerGroup,
  device: string,
): PeerVerdict {
  const peerCount = drives.filter(({ id }) => id !== device).length;
  const judgement = judgements.drives.find(({ id }) => id === device) ?? {
    id: device,
    state: "unknown",
    slowdown: null,
    slowdownInterval: null,
    sinceWindow: null,
    slowHours: 0,
  };
  const isSlow = (id: string): boolean =>
    judgements.drives.some((each) => each.id === id && (each.state === "slow" || each.state === "watch"));
  const kind = kinds.find(({ id }) => id === device);
  const cluster = kind === undefined || !isSlow(device) ? null : findFirmwareCluster(kind, kinds, isSlow);
  return {
    judgement,
    peerCount,
    sentence: describePeerVerdict({ device, judgement, peerCount, cluster }),
    sinceMs: judgement.sinceWindow === null ? null : fromMs + judgement.sinceWindow * PEER_WINDOW_MS,
  };
}

function askDrives(
  platform: WithMerger,
  { vault, tier, fromMs, toMs }: Range,
  metric: MetricName,
  isOfTier: boolean,
): Promise<MetricAnswer> {
  return answerMetric(platform, {
    metric,
    fromMs,
    toMs,
    where: { vault: [vault], ...(isOfTier && { tier: [tier] }) },
    groupBy: ["device"],
    across: "max",
    pointCountMax: HISTORY_MS / PEER_WINDOW_MS,
  });
}

async function readKinds(platform: WithMerger, { vault, tier, toMs }: Range): Promise<DriveKind[]> {
  const { series } = await answerMetric(platform, {
    metric: "stashlight_device_info",
    fromMs: toMs - DAY_MS,
    toMs,
    where: { vault: [vault], tier: [tier] },
    groupBy: ["device", "model", "firmware"],
    across: "max",
    pointCountMax: 20,
    summarise: true,
  });
  return series.map(({ labels }) => ({
    id: labels.device ?? "",
    model: labels.model || null,
    firmware: labels.firmware || null,
  }));
}

interface Answers {
  readonly syncs: MetricAnswer;
  readonly written: MetricAnswer;
  readonly queues: MetricAnswer;
}

/** Collects the windows of drives that sync at all. Points may be wider where the store keeps no finer ones. */
function toPeerDrives({ fromMs, toMs }: Range, { syncs, written, queues }: Answers): PeerDrive[] {
  const windowCount = (toMs - fromMs) / PEER_WINDOW_MS;
  const indexOf = (endMs: number): number => Math.ceil((endMs - fromMs) / PEER_WINDOW_MS) - 1;
  const increases = byDevice(written, (columns, at) =>
    columns.kind === "counter" ? present(columns.increase[at]) : 0,
  );
  const waiting = byDevice(queues, (columns, at) =>
    columns.kind === "gauge" ? present(columns.avg[at]) : 0,
  );
  return syncs.series.flatMap(({ labels, endMs, columns }): PeerDrive[] => {
    const id = labels.device;
    if (id === undefined || columns.kind !== "histogram") return [];
    const windows: (DriveWindow | null)[] = new Array(windowCount).fill(null);
    endMs.forEach((end, at) => {
      const bytes = increases.get(id)?.get(end);
      const index = indexOf(end);
      if (bytes === undefined || index < 0 || index >= windowCount) return;
      windows[index] = {
        latencySeconds: present(columns.sum[at]) / present(columns.n[at]),
        bytesPerSecond: bytes / (written.stepMs / 1000),
        queue: waiting.get(id)?.get(end) ?? 0,
      };
    });
    return [{ id, windows }];
  });
}

function byDevice(
  answer: MetricAnswer,
  valueAt: (columns: MetricAnswer["series"][number]["columns"], at: number) => number,
): Map<string, Map<number, number>> {
  return new Map(
    answer.series.map(({ labels, endMs, columns }) => [
      labels.device ?? "",
      new Map(endMs.map((end, at) => [end, valueAt(columns, at)])),
    ]),
  );
}
