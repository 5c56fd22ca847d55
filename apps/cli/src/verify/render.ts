import type { VaultFile } from "@stashlight/node-runtime/config";
import { counted, formatCount } from "../units.ts";
import type { Finding, Verification } from "./verification.ts";

const FINDINGS_SHOWN_MAX = 20;

export function renderVerification(verification: Verification, scheme: VaultFile["scheme"]): string[] {
  const { rightCount, uncomparedCount, absentCount, lost, unreadable, wrong } = verification;
  const lostCount = lost.length + unreadable.length;
  const apart =
    unreadable.length === 0
      ? ""
      : ` (${formatCount(unreadable.length)} unreadable, ${formatCount(lost.length)} missing)`;
  const lines = [
    `${counted(rightCount + lostCount + wrong.length, "object")} checked: ${formatCount(rightCount)} right, ${formatCount(lostCount)} lost${apart}, ${formatCount(wrong.length)} wrong.`,
    ...verification.lostBuckets.map(({ bucket, why }) => `  lost bucket: ${bucket}: ${why}`),
    ...findingLines("lost", lost),
    // Names each of them, because an operator brings back the drives that these lines name.
    ...unreadable.map((each) => findingLine("lost", each)),
    ...findingLines("wrong", wrong),
    ...durabilityLines(verification, scheme, lostCount > 0),
  ];
  if (uncomparedCount > 0) {
    lines.push(
      `${counted(uncomparedCount, "object")} were not compared: they were uploaded in parts, so their ETag is not an MD5, or they are encrypted with an unavailable key.`,
    );
  }
  if (absentCount > 0) {
    lines.push(`${counted(absentCount, "object")} were deleted, or their upload was never acknowledged.`);
  }
  return lines;
}

function findingLines(what: string, findings: readonly Finding[]): string[] {
  const lines = findings.slice(0, FINDINGS_SHOWN_MAX).map((each) => findingLine(what, each));
  const hiddenCount = findings.length - lines.length;
  return hiddenCount === 0 ? lines : [...lines, `  and ${formatCount(hiddenCount)} more`];
}

const findingLine = (what: string, { bucket, key, why }: Finding): string =>
  `  ${what}: ${bucket}/${key}: ${why}`;

function durabilityLines(
  verification: Verification,
  scheme: VaultFile["scheme"],
  hasLost: boolean,
): string[] {
  const { weakest, objectCountByDurableShards, unmeasuredCount, silentNodeIds } = verification;
  const lines: string[] = [];
  if (weakest !== null) {
    const neededCount = scheme.dataShardCount;
    const shardCount = neededCount + scheme.parityShardCount;
    const least = weakest.durableShardCount ?? 0;
    const counts = [...objectCountByDurableShards]
      .sort(([a], [b]) => b - a)
      .map(([shards, objects]) => `${shards}: ${counted(objects, "object")}`);
    lines.push(
      `Durable shards${hasLost ? " of the objects that are not lost" : ""}, of ${shardCount}: ${counts.join(", ")}.`,
      `Least margin ${hasLost ? "among these " : ""}${least - neededCount}: ${weakest.object.bucket}/${weakest.object.key} has ${least} and needs ${neededCount}.`,
    );
  }
  if (unmeasuredCount > 0) {
    lines.push(
      `The durable shards of ${counted(unmeasuredCount, "object")} are unknown: changed meanwhile, or in pieces that the coordinator did not list.`,
    );
  }
  if (silentNodeIds.length > 0) {
    lines.push(`${silentNodeIds.join(", ")} did not answer; their shards count as not durable.`);
  }
  return lines;
}
