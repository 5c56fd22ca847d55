import { randomInt } from "node:crypto";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { ProbeAsk } from "@stashlight/contracts/probe";
import type { ProbeJob, ProbeLeftover, ProbeRun } from "@stashlight/contracts/probe/job";
import { HOUR_MS } from "@stashlight/contracts/time";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import type { Base } from "../../base.ts";
import { openSecretAccessKey } from "../../endpoint/credentials.ts";
import type { StoredEndpoint } from "../../endpoint/target.ts";
import { claimFsyncProbe, noteProbeDrives } from "../../fsync-probe/claim.ts";
import { lockHeldBy } from "../../lease/lease.ts";
import type { BaseWithMerger } from "../../metrics/query/merger.ts";
import { allowedNetworks } from "../../outbound/allowed.ts";
import { transact } from "../../statements.ts";
import { type ClaimedSlot, claimSlot } from "../slot/claim.ts";
import { interruptSlot } from "../slot/interrupt.ts";
import { leasedSlots, slotName } from "../slot/leased.ts";
import { assertProbe, leftoverIsDue, nodeClaimant } from "./idle.ts";

/** A probe that cannot reach the ingest keeps its measurements, and has this long to deliver them. */
export const probeLeaseMs = HOUR_MS;
const leftoverRetryMs = 600_000;
const leftoversAtATime = 20;

/** Returns a probe's next job. A probe asks only when idle, so a slot that it still holds was lost. */
export async function claimProbeJob(
  platform: BaseWithMerger,
  node: AuthenticatedNode,
  { drives }: ProbeAsk,
): Promise<ProbeJob> {
  assertProbe(node);
  await endLostSlots(platform, node);
  await noteProbeDrives(platform, node, drives);
  const slot = await claimSlot(platform, {
    vantageNodeId: node.nodeId,
    claimant: nodeClaimant(node),
    leaseMs: probeLeaseMs,
    random: Math.random,
  });
  return {
    slot: slot === null ? null : await readSlot(platform, slot),
    fsync: slot === null ? await claimFsyncProbe(platform, node) : null,
    leftovers: slot === null ? await takeLeftovers(platform, node) : [],
    allowedNetworks: await allowedNetworks(platform),
  };
}

async function endLostSlots(platform: Base, node: AuthenticatedNode): Promise<void> {
  await transact(platform.metrics, async (tx) => {
    const lost = await lockHeldBy(tx, leasedSlots, nodeClaimant(node));
    for (const key of lost) {
      const reason = `the probe ${node.name} was started again`;
      await interruptSlot(tx, slotName(key), reason, platform.now());
    }
  });
}

async function readSlot(platform: Base, slot: ClaimedSlot): Promise<NonNullable<ProbeJob["slot"]>> {
  const { scheduleId, plannedAt, attempt, method } = slot;
  const endpoints = await readEndpoints(platform, slot.runs);
  const runs = slot.runs.flatMap(({ id: runId, endpointId }): ProbeRun[] => {
    const endpoint = endpoints.get(endpointId ?? "");
    if (endpoint === undefined) return [];
    const seed = randomInt(2 ** 32);
    const { name, driveNode: driveOf, driveDevice: device } = endpoint;
    return driveOf === null || device === null
      ? [{ runId, seed, ...endpointAccess(platform, endpoint) }]
      : [{ runId, seed, drive: { name, node: driveOf, device } }];
  });
  return { scheduleId, plannedAtMs: plannedAt.getTime(), attempt, method, runs };
}

interface DueLeftover {
  id: string;
  endpointId: string;
  keyPrefix: string;
}

async function takeLeftovers(platform: Base, node: AuthenticatedNode): Promise<ProbeLeftover[]> {
  const { metrics } = platform;
  const now = platform.now();
  const { rows: due } = await metrics.query<DueLeftover>(
    `SELECT id, endpoint_id AS "endpointId", key_prefix AS "keyPrefix" FROM benchmark_run
      WHERE ${leftoverIsDue} ORDER BY clean_after LIMIT ${leftoversAtATime}`,
    [node.nodeId, now],
  );
  await metrics.query(
    `UPDATE benchmark_run SET clean_after = $2::timestamptz, clean_attempts = clean_attempts + 1
      WHERE id = ANY ($1::uuid[])`,
    [due.map(({ id }) => id), new Date(now.getTime() + leftoverRetryMs)],
  );
  const endpoints = await readEndpoints(platform, due);
  return due.flatMap(({ id: runId, endpointId, keyPrefix }) => {
    const endpoint = endpoints.get(endpointId);
    if (endpoint === undefined) return [];
    return [{ runId, runPrefix: keyPrefix, ...endpointAccess(platform, endpoint) }];
  });
}

type Reached = Pick<
  StoredEndpoint,
  | "id"
  | "name"
  | "kind"
  | "url"
  | "region"
  | "bucket"
  | "prefix"
  | "addressing"
  | "caPem"
  | "accessKeyId"
  | "secretAccessKey"
  | "driveNode"
  | "driveDevice"
>;

const endpointsSql = `
  SELECT id, name, kind, url, region, bucket, prefix, addressing, ca_pem AS "caPem", access_key_id AS "accessKeyId",
         secret_access_key AS "secretAccessKey", drive_node AS "driveNode", drive_device AS "driveDevice"
    FROM endpoint WHERE id = ANY ($1::uuid[])`;

async function readEndpoints(
  { metrics }: Base,
  runs: readonly { endpointId: string | null }[],
): Promise<Map<string, Reached>> {
  const ids = runs.flatMap(({ endpointId }) => endpointId ?? []);
  const { rows } = await metrics.query<Reached>(endpointsSql, [ids]);
  return new Map(rows.map((endpoint) => [endpoint.id, endpoint]));
}

function endpointAccess(platform: Base, endpoint: Reached) {
  const { name, url, region, bucket, prefix, caPem, accessKeyId } = endpoint;
  const kind = endpointColumns.storeKind.read(endpoint.kind, endpoint.id);
  const addressing = endpointColumns.addressing.read(endpoint.addressing, endpoint.id);
  return {
    endpoint: { name, kind, url, region, bucket, prefix, addressing, caPem },
    credentials: {
      accessKeyId,
      secretAccessKey: openSecretAccessKey(platform.options.secret, endpoint),
    },
  };
}
