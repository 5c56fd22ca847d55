import { randomInt } from "node:crypto";
import {
  type AuthenticatedNode,
  type ProbeAsk,
  type ProbeEndpoint,
  type ProbeJob,
  type ProbeLeftover,
  type ProbeRun,
  StashlightError,
} from "@stashlight/contracts";
import { openSecretAccessKey } from "../../endpoint/credentials.ts";
import type { StoredEndpoint } from "../../endpoint/target.ts";
import { claimFsyncProbe, noteProbeDrives } from "../../fsync-probe/claim.ts";
import { allowedNetworks } from "../../outbound/networks.ts";
import type { Platform } from "../../platform.ts";
import { type ClaimedSlot, claimSlot } from "../slot/claim.ts";
import { interruptSlot } from "../slot/interrupt.ts";

/** A probe that cannot reach the ingest keeps what it measures, and has this long to bring it. */
export const probeLeaseMs = 3_600_000;
const leftoverRetryMs = 600_000;
const leftoversAtATime = 20;

export const claimantOf = ({ nodeId }: Pick<AuthenticatedNode, "nodeId">): string => `node ${nodeId}`;

/** What a probe is to do next. It asks when nothing is under way, so a slot that it still holds was lost. */
export async function claimProbeJob(
  platform: Platform,
  node: AuthenticatedNode,
  { drives }: ProbeAsk,
): Promise<ProbeJob> {
  if (node.role !== "probe") {
    throw new StashlightError("forbidden", `The node ${node.name} is no probe, so there are no jobs for it.`);
  }
  await endLostSlots(platform, node);
  await noteProbeDrives(platform, node, drives);
  const slot = await claimSlot(platform, {
    vantageNodeId: node.nodeId,
    claimant: claimantOf(node),
    leaseMs: probeLeaseMs,
    random: Math.random,
  });
  return {
    slot: slot === null ? null : await slotOf(platform, slot),
    fsync: slot === null ? await claimFsyncProbe(platform, node) : null,
    leftovers: slot === null ? await takeLeftovers(platform, node) : [],
    allowedNetworks: await allowedNetworks(platform),
  };
}

async function endLostSlots(platform: Platform, node: AuthenticatedNode): Promise<void> {
  await platform.db.$transaction(async (tx) => {
    const lost = await tx.$queryRaw<{ schedule_id: string; planned_at: Date }[]>`
      SELECT schedule_id, planned_at FROM schedule_run
       WHERE state = 'running' AND claimed_by = ${claimantOf(node)} FOR UPDATE`;
    for (const { schedule_id: scheduleId, planned_at: plannedAt } of lost) {
      const reason = `the probe ${node.name} was started again`;
      await interruptSlot(tx, { scheduleId, plannedAt }, reason, platform.now());
    }
  });
}

async function slotOf(platform: Platform, slot: ClaimedSlot): Promise<NonNullable<ProbeJob["slot"]>> {
  const { scheduleId, plannedAt, attempt, method } = slot;
  const endpoints = await endpointsOf(platform, slot.runs);
  const runs = slot.runs.flatMap(({ id: runId, endpointId }): ProbeRun[] => {
    const endpoint = endpoints.get(endpointId ?? "");
    if (endpoint === undefined) return [];
    return [{ runId, seed: randomInt(2 ** 32), ...accessOf(platform, endpoint) }];
  });
  return { scheduleId, plannedAtMs: plannedAt.getTime(), attempt, method, runs };
}

async function takeLeftovers(platform: Platform, node: AuthenticatedNode): Promise<ProbeLeftover[]> {
  const { db } = platform;
  const now = platform.now();
  const due = await db.benchmarkRun.findMany({
    where: {
      vantageNodeId: node.nodeId,
      endpointId: { not: null },
      keyPrefix: { not: null },
      cleanedAt: null,
      cleanAfter: { lte: now },
      state: { notIn: ["queued", "running"] },
    },
    orderBy: { cleanAfter: "asc" },
    take: leftoversAtATime,
    select: { id: true, endpointId: true, keyPrefix: true },
  });
  await db.benchmarkRun.updateMany({
    where: { id: { in: due.map(({ id }) => id) } },
    data: { cleanAfter: new Date(now.getTime() + leftoverRetryMs), cleanAttempts: { increment: 1 } },
  });
  const endpoints = await endpointsOf(platform, due);
  return due.flatMap(({ id: runId, endpointId, keyPrefix }) => {
    const endpoint = endpoints.get(endpointId ?? "");
    if (endpoint === undefined || keyPrefix === null) return [];
    return [{ runId, runPrefix: keyPrefix, ...accessOf(platform, endpoint) }];
  });
}

async function endpointsOf(
  { db }: Platform,
  runs: readonly { endpointId: string | null }[],
): Promise<Map<string, StoredEndpoint>> {
  const ids = runs.flatMap(({ endpointId }) => endpointId ?? []);
  const endpoints = await db.endpoint.findMany({ where: { id: { in: ids } } });
  return new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
}

function accessOf(platform: Platform, endpoint: StoredEndpoint) {
  const { name, url, region, bucket, prefix, caPem, accessKeyId } = endpoint;
  const kind = endpoint.kind as ProbeEndpoint["kind"];
  const addressing = endpoint.addressing as ProbeEndpoint["addressing"];
  return {
    endpoint: { name, kind, url, region, bucket, prefix, addressing, caPem },
    credentials: {
      accessKeyId,
      secretAccessKey: openSecretAccessKey(platform.options.secret, endpoint),
    },
  };
}
