import type { DeathProof } from "./messages/index.ts";
import type { Quorums } from "./scheme.ts";
import type { UploadHeader } from "./shard.ts";

/**
 * Whether a proof says what it must: promises of enough different pods, or a version order above the upload's. m + 1
 * promises (`refuse`) are enough to let go of a shard and promise as well, 2m (`bury`) to be told as its end.
 */
export function isDeathProof(
  proof: DeathProof,
  upload: UploadHeader,
  quorums: Quorums,
  promises: "refuse" | "bury",
): boolean {
  if (proof.type === "superseded") return proof.by > upload.order;
  const pods = new Set(proof.by.filter((podIndex) => podIndex >= 0 && podIndex < quorums.shardCount));
  return pods.size >= quorums[promises];
}
