/** The sentence for a client whose object exists and cannot be read. */
import type { Shortage } from "@stashlight/write-path";

export function shortageMessage(shortage: Shortage): string {
  const { readableCount, shardCount, neededCount } = shortage;
  const causes = [
    ["damaged on", shortage.damagedPods],
    ["unreadable on", shortage.unreadablePods],
    ["missing on", shortage.missingPods],
    ["no answer from", shortage.silentPods],
  ] as const;
  const reasons = causes.flatMap(([cause, pods]) =>
    pods.length === 0 ? [] : [`${cause} ${pods.map((podIndex) => `p${podIndex}`).join(", ")}`],
  );
  const why = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
  return `${readableCount} of the object's ${shardCount} shards can be read and ${neededCount} are needed${why}. It can be read again as soon as enough drives are back.`;
}
