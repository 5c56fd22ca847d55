/**
 * `pnpm bench telemetry --nodes N --days D [--ingests M] [--backfill]`: a fleet of simulated agents that post to one or
 * several ingests at their own pace, and its roll-up; with `--backfill` also their earlier history, and the duration of
 * fleet-wide chart queries over it.
 */

import { randomUUID } from "node:crypto";
import type { MetricQuery } from "@stashlight/contracts/metrics/query";
import { HOUR_MS } from "@stashlight/contracts/time";
import { type FleetNode, fillHistory, planFleet } from "@stashlight/fleet";
import { queryMetric } from "@stashlight/services/metrics/query";
import type { Platform } from "@stashlight/services/platform";
import type { Measurement } from "../measurement.ts";
import { median } from "../rounds.ts";
import { benchLive } from "./live-fleet.ts";
import type { Member } from "./member.ts";
import { createNodeKey, nodeKeyRow } from "./node-key.ts";
import { createViewer } from "./viewer.ts";

export interface FleetBenchOptions {
  readonly nodeCount: number;
  readonly dayCount: number;
  readonly isFilled: boolean;
  readonly ingestCount: number;
}

type PrintLine = (line: string) => void;

const ROUNDS = 5;

export async function benchSimulatedFleet(
  platform: Platform,
  { nodeCount, dayCount, isFilled, ingestCount }: FleetBenchOptions,
  say: PrintLine,
): Promise<Measurement[]> {
  const members = await addNodes(platform, planFleet(nodeCount));
  const filled = isFilled ? await benchHistory(platform, members, dayCount, say) : [];
  return [...filled, ...(await benchLive(platform, members, ingestCount, say))];
}

/** Creates all nodes at once, as enrolment would. */
async function addNodes({ db }: Platform, fleet: readonly FleetNode[]): Promise<Member[]> {
  const members = fleet.map((node) => ({
    node,
    nodeId: randomUUID(),
    key: createNodeKey(),
  }));
  await db.node.createMany({
    data: members.map(({ node: { name, vault, role }, nodeId }) => ({
      id: nodeId,
      name,
      vault,
      role,
      status: "active",
      isSimulated: true,
    })),
  });
  await db.nodeKey.createMany({ data: members.map(({ nodeId, key }) => nodeKeyRow(nodeId, key)) });
  return members;
}

async function benchHistory(
  platform: Platform,
  members: readonly Member[],
  dayCount: number,
  say: PrintLine,
): Promise<Measurement[]> {
  const nowMs = Date.now();
  const startedMs = performance.now();
  const { histogramRowCount } = await fillHistory({
    client: platform.metrics,
    members,
    dayCount,
    nowMs,
    say,
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const { rows } = await platform.metrics.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
      WHERE relnamespace = 'metric'::regnamespace AND relkind = 'r'`,
  );
  say(
    `${histogramRowCount} rows in ${seconds.toFixed(0)} s, ${(Number(rows[0]?.bytes) / 1e9).toFixed(1)} GB.`,
  );
  const answered: Measurement[] = [];
  for (const question of listQuestions(nowMs)) answered.push(await timeQuestion(platform, question));
  return [
    {
      name: `history of ${members.length} nodes, ${dayCount} days`,
      value: seconds * 1000,
      unit: "ms",
      against: { name: "10 minutes", value: 600_000 },
    },
    ...answered,
  ];
}

interface Question {
  readonly name: string;
  readonly input: MetricQuery;
}

/** One chart of each page, over all nodes. */
function listQuestions(nowMs: number): Question[] {
  const ask = (name: string, hours: number, input: Pick<MetricQuery, "metric"> & Partial<MetricQuery>) => ({
    name,
    input: {
      fromMs: nowMs - hours * HOUR_MS,
      toMs: nowMs,
      pointCountMax: 400,
      where: {},
      groupBy: [],
      across: "sum" as const,
      ...input,
    },
  });
  const hdd = { tier: ["pod"] };
  return [
    ask("fsync of all HDDs, 1 h", 1, { metric: "stashlight_fsync_seconds", where: hdd }),
    ask("fsync of all HDDs, 24 h", 24, { metric: "stashlight_fsync_seconds", where: hdd }),
    ask("fsync of all HDDs, 30 days", 720, { metric: "stashlight_fsync_seconds", where: hdd }),
    ask("purge lag, 24 h", 24, { metric: "stashlight_purge_lag_seconds" }),
    ask("stash used, 24 h", 24, { metric: "stashlight_stash_used_bytes" }),
    ask("unpurged shards by pod, 24 h", 24, { metric: "stashlight_stash_unpurged_shards", groupBy: ["pod"] }),
    ask("uploads by path, 24 h", 24, { metric: "stashlight_uploads_total", groupBy: ["path"] }),
  ];
}

async function timeQuestion(platform: Platform, { name, input }: Question): Promise<Measurement> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedMs = performance.now();
    await queryMetric({ ctx: createViewer(platform), input });
    times.push(performance.now() - startedMs);
  }
  return { name, value: median(times), unit: "ms", against: { name: "250 ms", value: 250 } };
}
