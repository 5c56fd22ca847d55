/** Nodes and their agents' batches, for tests of the metric store. */
import { randomUUID } from "node:crypto";
import {
  type Batch,
  type DecodedWindow,
  ExponentialHistogram,
  packHistogram,
  type RecordedWindow,
} from "@stashlight/telemetry";
import { acceptBatches, type ReceivedBatch } from "../metrics/ingest/accept-batches.ts";
import type { Platform } from "../platform.ts";

type Named<Kind extends "histograms" | "counters" | "gauges", Value> = readonly [
  metric: RecordedWindow[Kind][number]["metric"],
  labels: Readonly<Record<string, string>>,
  value: Value,
];

export interface WindowContent {
  readonly endMs: number;
  readonly spanMs?: number;
  readonly histograms?: readonly Named<"histograms", readonly number[]>[];
  readonly counters?: readonly Named<"counters", number>[];
  readonly gauges?: readonly Named<"gauges", number>[];
  readonly gaps?: Batch["gaps"];
}

export interface TestNode {
  readonly id: string;
  readonly name: string;
  /** The next batch of this node. */
  batch(content: WindowContent): ReceivedBatch;
}

export async function createTestNode(
  platform: Platform,
  name: string,
  isSimulated = false,
  vault = "v",
): Promise<TestNode> {
  const id = randomUUID();
  await platform.db.node.create({
    data: { id, name, vault, role: "stash", status: "active", isSimulated },
  });
  let sequence = 0;
  const batch = ({ endMs, spanMs = 10_000, ...rest }: WindowContent): ReceivedBatch => {
    sequence += 1;
    const window: DecodedWindow = {
      startMs: endMs - spanMs,
      endMs,
      histograms: (rest.histograms ?? []).map(([metric, labels, values]) => {
        const histogram = new ExponentialHistogram();
        for (const value of values) histogram.record(value);
        return { metric, labels, histogram: packHistogram(histogram.content()) };
      }),
      counters: (rest.counters ?? []).map(([metric, labels, increase]) => ({
        metric,
        labels,
        increase,
        total: increase,
      })),
      gauges: (rest.gauges ?? []).map(([metric, labels, value]) => ({ metric, labels, value })),
    };
    return {
      nodeId: id,
      isSimulated,
      batch: { nodeId: name, bootId: 1, sequence, window, gaps: rest.gaps ?? [] },
    };
  };
  return { id, name, batch };
}

export const accept = (platform: Platform, ...batches: ReceivedBatch[]): ReturnType<typeof acceptBatches> =>
  acceptBatches({ client: platform.metrics, batches, nowMs: platform.now().getTime() });
