import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { FsyncJob, ProbeDrive } from "@stashlight/contracts/probe/fsync";
import { fsyncProbePlan } from "@stashlight/contracts/probe/fsync-plan";
import type { Core } from "../core.ts";

export function areSameDrives(
  known: readonly { nodeName: string; device: string }[],
  drives: readonly ProbeDrive[],
): boolean {
  const keyOf = (node: string, device: string): string => `${node}/${device}`;
  const told = new Set(drives.map(({ node, device }) => keyOf(node, device)));
  return (
    known.length === told.size && known.every(({ nodeName, device }) => told.has(keyOf(nodeName, device)))
  );
}

/** Keeps in mind which drives a probe can write to; most of the time nothing has changed. */
export async function noteProbeDrives(
  { db }: Core,
  { nodeId }: AuthenticatedNode,
  drives: readonly ProbeDrive[],
): Promise<void> {
  const known = await db.probeDrive.findMany({ where: { probeNodeId: nodeId } });
  if (areSameDrives(known, drives)) return;
  await db.$transaction([
    db.probeDrive.deleteMany({ where: { probeNodeId: nodeId } }),
    db.probeDrive.createMany({
      data: drives.map(({ node, device }) => ({ probeNodeId: nodeId, nodeName: node, device })),
      skipDuplicates: true,
    }),
  ]);
}

/** The oldest request that this probe can carry out. It asks when nothing is under way, so what it still held is lost. */
export async function claimFsyncProbe(
  { db, now }: Core,
  { nodeId, name }: AuthenticatedNode,
): Promise<FsyncJob | null> {
  await db.fsyncProbe.updateMany({
    where: { probeNodeId: nodeId, state: "running" },
    data: { state: "failed", endedAt: now(), sentence: `The probe ${name} was started again.` },
  });
  const next = await db.fsyncProbe.findFirst({
    where: { probeNodeId: nodeId, state: "queued" },
    orderBy: { requestedAt: "asc" },
  });
  if (next === null) return null;
  const { count } = await db.fsyncProbe.updateMany({
    where: { id: next.id, state: "queued" },
    data: { state: "running", startedAt: now() },
  });
  if (count === 0) return null;
  const drive = { node: next.nodeName, device: next.device };
  return { probeId: next.id, drive, ...fsyncProbePlan };
}
