import { countRefused } from "@stashlight/db/metrics";
import type { Platform } from "../platform.ts";
import { storableText } from "../text.ts";

export interface RefusedValue {
  /** As the node named it, which may be anything. */
  readonly metric: string;
  readonly reason: string;
}

const namedCountMax = 20;
const metricLengthMax = 100;

/**
 * Counts the values of a node that were left out of a batch, so that people see them. Of many different ones some are
 * named and the others counted without a name, since a node could make up as many as it likes.
 */
export async function noteRefusedValues(
  platform: Platform,
  nodeId: string,
  refused: readonly RefusedValue[],
): Promise<void> {
  const counts = new Map<string, { metric: string; reason: string; count: number }>();
  for (const { metric, reason } of refused) {
    const named = `${reason}/${metric}`;
    const isNamed = counts.has(named) || counts.size < namedCountMax;
    const key = isNamed ? named : `${reason}/`;
    const entry = counts.get(key) ?? {
      metric: isNamed ? storableText(metric, metricLengthMax) : "",
      reason,
      count: 0,
    };
    entry.count += 1;
    counts.set(key, entry);
  }
  await countRefused(
    platform.metrics,
    [...counts.values()].map((entry) => ({ nodeId, ...entry })),
    platform.now().getTime(),
  );
}
