import type { DeathProof } from "./messages.ts";
import type { Quorums } from "./scheme.ts";
import type { UploadHeader } from "./shard.ts";

/** Whether a proof says what it must: promises of m + 1 different pods, or a version order above the upload's. */
export function isDeathProof(
  proof: DeathProof,
  upload: UploadHeader,
  { refuse, shardCount }: Quorums,
): boolean {
  if (proof.type === "superseded") return proof.by > upload.order;
  const pods = new Set(proof.by.filter((podIndex) => podIndex >= 0 && podIndex < shardCount));
  return pods.size >= refuse;
}
