import { countRefused, type RefusedItems } from "@stashlight/db/metrics";
import type { Base } from "../../base.ts";
import { asUnavailable } from "../../database-unavailable.ts";
import { storableText } from "../../storable-text.ts";

export interface RefusedValue {
  /** As sent by the node, unchecked. */
  readonly metric: string;
  readonly reason: string;
  /** Number of refusals; 1 by default. */
  readonly count?: number;
}

const namedCountMax = 20;
const metricLengthMax = 100;

/**
 * Counts a node's refused values. Names some of many different ones and counts the others without a name, because a
 * node could invent any number of names.
 */
export function countRefusedItems(nodeId: string, refused: readonly RefusedValue[]): RefusedItems[] {
  const counts = new Map<string, { metric: string; reason: string; count: number }>();
  for (const { metric, reason, count = 1 } of refused) {
    const named = `${reason}/${metric}`;
    const isNamed = counts.has(named) || counts.size < namedCountMax;
    const key = isNamed ? named : `${reason}/`;
    const entry = counts.get(key) ?? {
      metric: isNamed ? storableText(metric, metricLengthMax) : "",
      reason,
      count: 0,
    };
    entry.count += count;
    counts.set(key, entry);
  }
  return [...counts.values()].map((entry) => ({ nodeId, ...entry }));
}

/**
 * Counts values refused from a request without a batch, so that users see them. Those of a batch go with it to
 * `acceptBatches`, which counts them once however often the batch arrives.
 */
export async function noteRefusedValues(
  platform: Base,
  nodeId: string,
  refused: readonly RefusedValue[],
): Promise<void> {
  try {
    await countRefused(platform.metrics, countRefusedItems(nodeId, refused), platform.now().getTime());
  } catch (error) {
    throw asUnavailable(error);
  }
}
