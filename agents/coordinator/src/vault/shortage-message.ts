/** Sentence for a client whose object exists but cannot be read. */
import { shortageReasons } from "@stashlight/contracts/lost-object";
import type { Shortage } from "@stashlight/write-path";

export function shortageMessage(shortage: Shortage): string {
  const { readableCount, shardCount, neededCount } = shortage;
  const reasons = shortageReasons(shortage);
  const why = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
  return `${readableCount} of the object's ${shardCount} shards can be read and ${neededCount} are needed${why}. It can be read again as soon as enough drives are back.`;
}
