/** Judges S1, S3 and S4 by the contents of the media and never by the replies of nodes. */
import { quorumsOf, type UploadHeader } from "@stashlight/write-path";
import { Broken, isSupersededBy, type Ledger } from "./ledger.ts";
import type { Node } from "./node.ts";
import type { MediumRecord } from "./node-medium.ts";
import { config } from "./scenario.ts";

const { acknowledge, decode, refuse } = quorumsOf(config.scheme);

function durableShards(nodes: readonly Node[], uploadId: string, kind: "pod" | null): Set<number> {
  const found = new Set<number>();
  for (const node of nodes) {
    if (kind !== null && node.kind !== kind) continue;
    for (const { shard, state } of node.records) {
      if (state === "durable" && shard.upload.uploadId === uploadId) found.add(shard.shardIndex);
    }
  }
  return found;
}

/** Deletions recorded on any medium, whether or not their clients were answered. */
export function tombstonesOn(nodes: readonly Node[]): UploadHeader[] {
  const uploads = nodes.flatMap(({ records }) => records.map(({ shard }) => shard.upload));
  return uploads.filter(({ kind }) => kind === "tombstone");
}

/** A higher version of the key was promised, or can be: k pods hold it durably, so it can never be proved dead. */
function isSuperseded(nodes: readonly Node[], ledger: Ledger, upload: UploadHeader): boolean {
  if (ledger.promised.some((other) => isSupersededBy(upload, other))) return true;
  const others = nodes.flatMap((node) =>
    node.kind === "pod" ? node.records.map(({ shard }) => shard.upload) : [],
  );
  return others.some(
    (other) => isSupersededBy(upload, other) && durableShards(nodes, other.uploadId, "pod").size >= decode,
  );
}

/** m + 1 pods have durably promised never to take the upload, and no client was notified that it exists. */
function isDead(nodes: readonly Node[], ledger: Ledger, { uploadId }: UploadHeader): boolean {
  if (ledger.promised.some((other) => other.uploadId === uploadId)) return false;
  const promises = nodes.flatMap((node) => node.promises);
  return promises.filter((p) => p.isDurable && p.refusal.uploadId === uploadId).length >= refuse;
}

/** S1 and S4: a promised upload has q durable shards; with k = q = 2 a shown upload has no fewer. */
export function judgeDurability(nodes: readonly Node[], ledger: Ledger): void {
  for (const upload of ledger.promised) {
    const { size } = durableShards(nodes, upload.uploadId, null);
    if (size >= acknowledge || isSuperseded(nodes, ledger, upload)) continue;
    throw new Broken(
      `S1: ${upload.uploadId} was promised and has ${size} durable shards, not ${acknowledge}.`,
    );
  }
}

/** S3: a copy ends only when the same bytes are durable on their pod, or can never be needed. */
export function judgeKill(
  nodes: readonly Node[],
  ledger: Ledger,
  killer: Node,
  { shard }: MediumRecord,
): void {
  const { upload, shardIndex, payloadCrc } = shard;
  if (isDead(nodes, ledger, upload) || isSuperseded(nodes, ledger, upload)) return;
  const isOnPod = nodes.some(
    (node) =>
      node.kind === "pod" &&
      node.machine.identity.podIndex === shardIndex &&
      node.records.some(
        ({ shard: other, state }) =>
          state === "durable" && other.upload.uploadId === upload.uploadId && other.payloadCrc === payloadCrc,
      ),
  );
  if (killer.kind === "stash" && isOnPod) return;
  throw new Broken(
    `S3: a ${killer.kind} dropped shard ${shardIndex} of ${upload.uploadId}, and its pod has no durable copy.`,
  );
}
