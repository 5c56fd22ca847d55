/**
 * Uses each drive's slow hours compared with its peers as the value of a rule, with the sentence that the drive's page
 * shows. A comparison reads a week of data, so each group of peers is judged once per window, and an evaluation judges
 * only a few groups. In between a group keeps its last verdict; before its first verdict it has no value.
 */
import type { AlertCondition, AlertQuery } from "@stashlight/contracts/alert";
import type { MetricClient } from "@stashlight/db/metrics";
import {
  findPeerVerdict,
  lastPeerWindowMs,
  type PeerGroupName,
  type PeerVerdict,
  readPeerGroup,
} from "../drive-peers/peer-group.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { selectSeries } from "../metrics/query/select.ts";
import type { Sample } from "./evaluate.ts";

/**
 * Groups judged per evaluation. Each takes a fraction of a second, and an evaluation must end before the next is due.
 */
export const GROUPS_JUDGED_MAX = 4;

interface JudgedGroup {
  /** End of the last window judged. */
  readonly toMs: number;
  readonly verdicts: ReadonlyMap<string, PeerVerdict>;
}

/** Holds one entry for each group of drives that reports now; others are deleted. */
const judgedByClient = new WeakMap<MetricClient, Map<string, JudgedGroup>>();

interface ReportingDrive extends PeerGroupName {
  readonly node: string;
  readonly device: string;
}

export async function readPeerSamples(
  platform: WithMerger,
  { query }: { query: AlertQuery; condition: Extract<AlertCondition, { kind: "peers" }> },
  nowMs: number,
): Promise<Sample[]> {
  const drives = await listReportingDrives(platform, query);
  const groups = Map.groupBy(drives, groupKey);
  const judged = judgedByClient.get(platform.metrics) ?? new Map<string, JudgedGroup>();
  judgedByClient.set(platform.metrics, judged);
  for (const key of judged.keys()) if (!groups.has(key)) judged.delete(key);
  await judgeOldest(platform, { groups, judged, nowMs });
  return drives.flatMap((drive): Sample[] => {
    const group = judged.get(groupKey(drive));
    const verdict = group?.verdicts.get(drive.device);
    if (group === undefined || verdict === undefined) return [];
    const { node, device } = drive;
    const { judgement, peerCount } = verdict;
    const evidence = {
      statistic: "modelled" as const,
      sampleCount: peerCount,
      sentence: describeWithTime(verdict),
    };
    return [
      {
        group: JSON.stringify([node, device]),
        labels: { node, device },
        nodes: [node],
        value: judgement.slowHours,
        evidence,
        atMs: group.toMs,
      },
    ];
  });
}

const groupKey = ({ vault, tier }: PeerGroupName): string => JSON.stringify([vault, tier]);

/** Lists the reporting drives of vaults, without simulated ones, which must not page a person. */
async function listReportingDrives(platform: WithMerger, query: AlertQuery): Promise<ReportingDrive[]> {
  const series = await selectSeries(platform.metrics, { ...query, nodeIds: undefined });
  const drives = series.flatMap(({ node, labels }): ReportingDrive[] => {
    const { vault, tier, device } = labels;
    if (node.isSimulated || vault === undefined || device === undefined) return [];
    return tier === "pod" || tier === "stash" ? [{ vault, tier, device, node: node.name }] : [];
  });
  return [...new Map(drives.map((drive) => [JSON.stringify([drive.node, drive.device]), drive])).values()];
}

interface Judging {
  readonly groups: ReadonlyMap<string, readonly ReportingDrive[]>;
  readonly judged: Map<string, JudgedGroup>;
  readonly nowMs: number;
}

async function judgeOldest(platform: WithMerger, { groups, judged, nowMs }: Judging): Promise<void> {
  const toMs = lastPeerWindowMs(nowMs);
  const due = [...groups]
    .map(([key, drives]) => ({ key, drives, judgedMs: judged.get(key)?.toMs ?? 0 }))
    .filter(({ judgedMs }) => judgedMs < toMs)
    .toSorted((a, b) => a.judgedMs - b.judgedMs)
    .slice(0, GROUPS_JUDGED_MAX);
  for (const { key, drives } of due) {
    const [first] = drives;
    if (first === undefined) continue;
    const group = await readPeerGroup(platform, first, nowMs);
    const verdicts = drives.map(({ device }) => [device, findPeerVerdict(group, device)] as const);
    judged.set(key, { toMs, verdicts: new Map(verdicts) });
  }
}

/** "... Slow since 2026-11-28 14:00 UTC." */
function describeWithTime({ sentence, sinceMs }: PeerVerdict): string {
  if (sinceMs === null) return sentence;
  return `${sentence} Slow since ${new Date(sinceMs).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}
