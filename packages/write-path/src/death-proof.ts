import type { DeathProof } from "./messages/index.ts";
import type { Quorums } from "./quorums.ts";
import type { UploadHeader } from "./shard.ts";

/**
 * Returns true if a proof is sufficient: promises of enough different pods, or a version order above the upload's. m +
 * 1 promises (`refuse`) are enough to drop a shard and to promise as well, 2m (`bury`) to report the outcome.
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
