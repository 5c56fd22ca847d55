import type { DrivePeers, DrivePeersInput, PeerPoint } from "@stashlight/contracts/disk/peers";
import { StashlightError } from "@stashlight/contracts/errors";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time/duration";
import {
  type DriveKind,
  type DriveWindow,
  findFirmwareCluster,
  judgePeers,
  type PeerDrive,
  type PeerJudgements,
} from "@stashlight/stats/fail-slow";
import { requireRole, type Verb } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { answerMetric } from "../metrics/query/query.ts";
import { present } from "../present.ts";
import { describePeerVerdict } from "./peer-sentence.ts";

const WINDOW_MS = 10 * MINUTE_MS;
const HISTORY_MS = 7 * DAY_MS;
const OWN_POINTS_MAX = 400;
const PEER_POINTS_MAX = 600;
const CURVE_POINTS = 24;

/** Compares a drive with those of its vault in the same role, by the last week of their reports. */
export async function judgeDrivePeers({
  ctx,
  input,
}: Verb<DrivePeersInput, WithMerger>): Promise<DrivePeers> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const node = await platform.db.node.findUnique({ where: { id: input.nodeId } });
  if (node === null) throw new StashlightError("not_found", "There is no such node.");
  const tier = node.role === "stash" ? "stash" : "pod";
  const toMs = Math.floor(platform.now().getTime() / WINDOW_MS) * WINDOW_MS;
  const range: Range = { vault: node.vault, tier, fromMs: toMs - HISTORY_MS, toMs };
  const ask = (metric: MetricName, isOfTier = true) => askDrives(platform, range, metric, isOfTier);
  const [syncs, written, queues, kinds] = await Promise.all([
    ask("stashlight_fsync_seconds"),
    ask("stashlight_shard_written_bytes_total"),
    tier === "pod" ? ask("stashlight_flush_backlog_shards", false) : ask("stashlight_device_queue_requests"),
    readKinds(platform, range),
  ]);
  const drives = drivesOf(range, { syncs, written, queues });
  const judgements = judgePeers(drives, { windowSeconds: WINDOW_MS / 1000 });
  return answerOf(input.device, range, { drives, judgements, kinds });
}

interface Range {
  readonly vault: string;
  readonly tier: "pod" | "stash";
  readonly fromMs: number;
  readonly toMs: number;
}

type Platform = Parameters<typeof answerMetric>[0];

function askDrives(
  platform: Platform,
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
    pointCountMax: HISTORY_MS / WINDOW_MS,
  });
}

async function readKinds(platform: Platform, { vault, tier, toMs }: Range): Promise<DriveKind[]> {
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

/** Windows of drives that sync at all. Points may be wider if the store keeps no others for a time. */
function drivesOf({ fromMs, toMs }: Range, { syncs, written, queues }: Answers): PeerDrive[] {
  const windowCount = (toMs - fromMs) / WINDOW_MS;
  const indexOf = (endMs: number): number => Math.ceil((endMs - fromMs) / WINDOW_MS) - 1;
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

interface Found {
  readonly drives: readonly PeerDrive[];
  readonly judgements: PeerJudgements;
  readonly kinds: readonly DriveKind[];
}

function answerOf(device: string, { fromMs }: Range, { drives, judgements, kinds }: Found): DrivePeers {
  const peerCount = drives.filter(({ id }) => id !== device).length;
  const judgement = judgements.drives.find(({ id }) => id === device) ?? {
    id: device,
    state: "unknown",
    slowdown: null,
    sinceWindow: null,
    slowHours: 0,
  };
  const isSlow = (id: string): boolean =>
    judgements.drives.some((each) => each.id === id && (each.state === "slow" || each.state === "watch"));
  const kind = kinds.find(({ id }) => id === device);
  const cluster = kind === undefined || !isSlow(device) ? null : findFirmwareCluster(kind, kinds, isSlow);
  const pointsOf = (isWanted: (id: string) => boolean, countMax: number) =>
    thinned(
      drives
        .filter(({ id }) => isWanted(id))
        .flatMap(({ windows }) => windows.filter((window) => window !== null)),
      countMax,
    );
  return {
    state: judgement.state,
    sentence: describePeerVerdict({ device, judgement, peerCount, cluster }),
    sinceMs: judgement.sinceWindow === null ? null : fromMs + judgement.sinceWindow * WINDOW_MS,
    peerCount,
    windowSeconds: WINDOW_MS / 1000,
    own: pointsOf((id) => id === device, OWN_POINTS_MAX),
    peers: pointsOf((id) => id !== device, PEER_POINTS_MAX),
    curve: curveOf(drives, judgements),
  };
}

function thinned(windows: readonly DriveWindow[], countMax: number): PeerPoint[] {
  const stride = Math.max(1, Math.ceil(windows.length / countMax));
  return windows
    .filter((_, at) => at % stride === 0)
    .map(({ bytesPerSecond, latencySeconds }) => ({ bytesPerSecond, latencySeconds }));
}

/** Computes the curve at the usual queue and at throughputs that drives had; elsewhere no window supports the fit. */
function curveOf(drives: readonly PeerDrive[], { fit, limitRatio }: PeerJudgements): DrivePeers["curve"] {
  if (fit === null || limitRatio === null) return [];
  const windows = drives.flatMap((drive) => drive.windows.filter((window) => window !== null));
  const queues = windows.map((window) => window.queue).sort((a, b) => a - b);
  const queue = queues[queues.length >> 1] ?? 0;
  const bytesPerSecondMin = windows.reduce(
    (least, { bytesPerSecond }) => Math.min(least, bytesPerSecond),
    fit.bytesPerSecondMax,
  );
  return Array.from({ length: CURVE_POINTS }, (_, at) => {
    const share = at / (CURVE_POINTS - 1);
    const bytesPerSecond = bytesPerSecondMin + (fit.bytesPerSecondMax - bytesPerSecondMin) * share;
    const latencySeconds = fit.expectedSeconds({ bytesPerSecond, queue });
    return { bytesPerSecond, latencySeconds, limitSeconds: latencySeconds * limitRatio };
  });
}
