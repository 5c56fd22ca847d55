import type { DrivePeers, DrivePeersInput, PeerPoint } from "@stashlight/contracts/disk";
import { StashlightError } from "@stashlight/contracts/errors";
import type { DriveWindow, PeerDrive, PeerJudgements } from "@stashlight/stats/fail-slow";
import { requireRole, type Verb } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { findPeerVerdict, PEER_WINDOW_MS, readPeerGroup } from "./peer-group.ts";
import { describeQuarantineCost } from "./quarantine-cost.ts";

const OWN_POINTS_MAX = 400;
const PEER_POINTS_MAX = 600;
const CURVE_POINTS = 24;

/** Compares a drive with those of its vault in the same role, by the last week of their reports. */
export async function judgeDrivePeers({
  ctx,
  input: { nodeId, device },
}: Verb<DrivePeersInput, WithMerger>): Promise<DrivePeers> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const node = await platform.db.node.findUnique({ where: { id: nodeId } });
  if (node === null) throw new StashlightError("not_found", "There is no such node.");
  const nowMs = platform.now().getTime();
  const tier = node.role === "stash" ? "stash" : "pod";
  const group = await readPeerGroup(platform, { vault: node.vault, tier }, nowMs);
  const { judgement, sentence, sinceMs, peerCount } = findPeerVerdict(group, device);
  const { state } = judgement;
  const isSlow = state === "slow" || state === "watch";
  const pointsOf = (isWanted: (id: string) => boolean, countMax: number) =>
    thinned(
      group.drives
        .filter(({ id }) => isWanted(id))
        .flatMap(({ windows }) => windows.filter((window) => window !== null)),
      countMax,
    );
  return {
    state,
    sentence,
    sinceMs,
    peerCount,
    windowSeconds: PEER_WINDOW_MS / 1000,
    quarantine: isSlow
      ? await describeQuarantineCost(platform, { vault: node.vault, tier, device }, nowMs)
      : null,
    own: pointsOf((id) => id === device, OWN_POINTS_MAX),
    peers: pointsOf((id) => id !== device, PEER_POINTS_MAX),
    curve: curveOf(group.drives, group.judgements),
  };
}

function thinned(windows: readonly DriveWindow[], countMax: number): PeerPoint[] {
  const stride = Math.max(1, Math.ceil(windows.length / countMax));
  return windows
    .filter((_, at) => at % stride === 0)
    .map(({ bytesPerSecond, latencySeconds }) => ({ bytesPerSecond, latencySeconds }));
}

/**
 * Evaluates the fit at the median queue, and only at throughputs that drives had, because no window backs it elsewhere.
 */
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
