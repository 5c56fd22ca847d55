import { isDeepStrictEqual } from "node:util";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import { type FsyncJob, fsyncProbePlan, type ReportedDrive } from "@stashlight/contracts/probe";
import type { Base } from "../base.ts";
import { transact } from "../statements.ts";
import { upsertDriveEndpoints } from "./keep-endpoints.ts";

export interface KnownDrive {
  nodeName: string;
  device: string;
  benchmark: unknown;
}

/** SQL for the drives that the probe $1 reported. */
export const drivesSql = `SELECT node_name AS "nodeName", device, benchmark FROM probe_drive WHERE probe_node_id = $1::uuid`;

export function areSameDrives(known: readonly KnownDrive[], drives: readonly ReportedDrive[]): boolean {
  const driveKey = (node: string, device: string): string => `${node}/${device}`;
  const told = new Map(drives.map((drive) => [driveKey(drive.node, drive.device), drive.benchmark]));
  return (
    known.length === told.size &&
    known.every(({ nodeName, device, benchmark }) => {
      const key = driveKey(nodeName, device);
      return told.has(key) && isDeepStrictEqual(benchmark, told.get(key));
    })
  );
}

/** Stores which drives a probe can write to, if they have changed since its last request. */
export async function noteProbeDrives(
  { metrics, now }: Base,
  node: Pick<AuthenticatedNode, "nodeId" | "name">,
  drives: readonly ReportedDrive[],
): Promise<void> {
  const { nodeId } = node;
  const { rows: known } = await metrics.query<KnownDrive>(drivesSql, [nodeId]);
  if (areSameDrives(known, drives)) return;
  await transact(metrics, async (tx) => {
    await tx.query("DELETE FROM probe_drive WHERE probe_node_id = $1::uuid", [nodeId]);
    await tx.query(
      `INSERT INTO probe_drive (probe_node_id, node_name, device, benchmark)
       SELECT $1::uuid, * FROM unnest($2::text[], $3::text[], $4::jsonb[]) ON CONFLICT DO NOTHING`,
      [
        nodeId,
        drives.map((drive) => drive.node),
        drives.map(({ device }) => device),
        drives.map(({ benchmark }) => (benchmark === null ? null : JSON.stringify(benchmark))),
      ],
    );
    await upsertDriveEndpoints(tx, node, drives, now());
  });
}

/**
 * Returns the oldest request that this probe can carry out. A probe asks only when idle, so a request that it still
 * held is lost.
 */
export async function claimFsyncProbe(
  { metrics, now }: Base,
  { nodeId, name }: AuthenticatedNode,
): Promise<FsyncJob | null> {
  await metrics.query(
    `UPDATE fsync_probe SET state = 'failed', ended_at = $2::timestamptz, sentence = $3::text
      WHERE probe_node_id = $1::uuid AND state = 'running'`,
    [nodeId, now(), `The probe ${name} was started again.`],
  );
  const { rows } = await metrics.query<{ id: string; nodeName: string; device: string }>(
    `UPDATE fsync_probe SET state = 'running', started_at = $2::timestamptz
      WHERE state = 'queued' AND id = (
        SELECT id FROM fsync_probe WHERE probe_node_id = $1::uuid AND state = 'queued'
         ORDER BY requested_at LIMIT 1)
      RETURNING id, node_name AS "nodeName", device`,
    [nodeId, now()],
  );
  const [next] = rows;
  if (next === undefined) return null;
  const drive = { node: next.nodeName, device: next.device };
  return { probeId: next.id, drive, ...fsyncProbePlan };
}
