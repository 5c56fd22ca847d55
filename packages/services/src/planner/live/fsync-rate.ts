/** Estimates a stash drive's syncs per second: the result of a probe or, without one, the duration of syncs. */
import { tiersAlike } from "@stashlight/contracts/metrics";
import type { Live, LiveFigure } from "@stashlight/contracts/planner";
import type { FsyncProbeRow } from "@stashlight/contracts/probe";
import { allNamed } from "../../all-named.ts";
import { latestFsyncProbe } from "../../fsync-probe/latest.ts";
import {
  type Distribution,
  known,
  metricSource,
  readDistributions,
  readGrowth,
  type Scope,
  unknown,
  valueRange,
} from "./metric-sources.ts";

const ofStash = { where: { tier: ["stash"] } };
/**
 * If no stash drive syncs, uses SSDs of machines watched by a host agent, because an installation may have no stash
 * yet.
 */
const ofSsds = { where: { tier: [...tiersAlike.stash] } };

/** A probe's figure is for an otherwise idle drive; a figure of the fleet is for one sync after another under load. */
export async function readFsyncRate(scope: Scope, vault: string): Promise<Live<LiveFigure>> {
  const { ctx } = scope;
  const { probes, syncs, bytes, commits, told } = await allNamed({
    probes: latestFsyncProbe({ ctx, input: { vault } }),
    syncs: readDistributions(scope, {
      metric: "stashlight_fsync_seconds",
      ...ofSsds,
      groupBy: ["node", "device", "tier"],
    }),
    bytes: readGrowth(scope, { metric: "stashlight_shard_written_bytes_total", ...ofStash }),
    commits: readDistributions(scope, { metric: "stashlight_commit_batch_records" }),
    told: readTold(scope),
  });
  const ofStashDrives = syncs.distributions.filter(({ labels }) => labels.tier === "stash");
  const counted = ofStashDrives.length > 0 ? ofStashDrives : syncs.distributions;
  const drives = new Set(counted.map(({ labels }) => `${labels.node} ${labels.device}`));
  const ofDrives = probes.filter(({ node, device }) => drives.has(`${node} ${device}`));
  const commitCount = commits.distributions[0]?.n ?? 0;
  const commitBytes = commitCount === 0 ? null : bytes.total / commitCount;
  return (
    fromProbes(scope, ofDrives, commitBytes) ??
    fromFleet(scope, { ...syncs, distributions: counted }) ??
    told ??
    unknown("No stash drive and no SSD of a watched machine or a scraped store synced in this period.")
  );
}

/** Uses the sync totals of Ceph's SSDs. MinIO reports means without counts, and ZFS counts without times. */
async function readTold(scope: Scope): Promise<Live<LiveFigure> | null> {
  const where = { tier: ["ssd"], operation: ["kv-sync"] };
  const { count, seconds } = await allNamed({
    count: readGrowth(scope, { metric: "stashlight_commits_total", where }),
    seconds: readGrowth(scope, { metric: "stashlight_commit_seconds_total", where }),
  });
  if (count.total === 0 || seconds.total === 0) return null;
  const source = metricSource(scope, [count.origin, seconds.origin], {
    source:
      "stashlight_commits_total by stashlight_commit_seconds_total, kv-sync of Ceph's SSDs: one over their mean, as one sync after the other under this load; have a probe measure the drive",
    n: count.total,
    nUnit: "syncs",
    range: null,
  });
  return known({ value: count.total / seconds.total, ...source });
}

/** Takes for each drive the figure with the record size nearest to a commit of this load. */
function fromProbes(
  { ctx }: Scope,
  probes: readonly FsyncProbeRow[],
  commitBytes: number | null,
): Live<LiveFigure> | null {
  const measured = probes.flatMap(({ result, endedAt }) => {
    const [first, ...others] = result?.figures ?? [];
    if (result === null || first === undefined || endedAt === null) return [];
    const away = (recordBytes: number): number =>
      Math.abs(Math.log(Math.max(1, recordBytes) / Math.max(1, commitBytes ?? first.recordBytes)));
    const nearest = others.reduce(
      (best, each) => (away(each.recordBytes) < away(best.recordBytes) ? each : best),
      first,
    );
    return nearest.syncsPerSecond > 0 ? [{ ...nearest, tool: result.tool, endedAt }] : [];
  });
  const [one] = measured;
  if (one === undefined) return null;
  const rates = measured.map(({ syncsPerSecond }) => syncsPerSecond);
  const oldestMs = Math.min(...measured.map(({ endedAt }) => endedAt.getTime()));
  const drives = measured.length === 1 ? "on one drive" : `mean of ${measured.length} drives`;
  return known({
    value: rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
    source: `measured by a probe with ${[...new Set(measured.map(({ tool }) => tool))].join(" and ")}: records of ${one.recordBytes} bytes, written and synced one after the other, ${drives}`,
    n: measured.reduce((sum, { n }) => sum + n, 0),
    nUnit: "syncs",
    range: valueRange(rates, "drives"),
    basis: "measured",
    ageSeconds: Math.max(0, (ctx.platform.now().getTime() - oldestMs) / 1000),
  });
}

function fromFleet(
  scope: Scope,
  { distributions, origin }: Awaited<ReturnType<typeof readDistributions>>,
): Live<LiveFigure> | null {
  const all = together(distributions);
  if (all === null) return null;
  const source = metricSource(scope, [origin], {
    source: `stashlight_fsync_seconds of ${distributions[0]?.labels.tier === "ssd" ? "SSDs of watched machines" : "stash drives"}: one over the mean, as one sync after the other under this load; have a probe measure the drive`,
    n: all.n,
    nUnit: "syncs",
    range: valueRange(
      distributions.map(({ mean }) => 1 / mean),
      "drives",
    ),
  });
  return known({ value: 1 / all.mean, ...source });
}

function together(distributions: readonly Distribution[]): { n: number; mean: number } | null {
  const n = distributions.reduce((sum, each) => sum + each.n, 0);
  const total = distributions.reduce((sum, each) => sum + each.n * each.mean, 0);
  return n === 0 || total === 0 ? null : { n, mean: total / n };
}
