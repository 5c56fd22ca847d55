import { randomUUID } from "node:crypto";
import { acceptBatches } from "@stashlight/services/metrics/ingest";
import type { Platform } from "@stashlight/services/platform";

export interface ReportingNode {
  readonly name: string;
  /** Sends a window that ends now, with the device filled to this share. */
  report(share: number): Promise<void>;
}

/** Creates a stash node that reports its device's fill on demand. */
export async function createStashNode(platform: Platform): Promise<ReportingNode> {
  const id = randomUUID();
  const name = `stash-${id.slice(0, 6)}`;
  await platform.db.node.create({
    data: { id, name, vault: "alerts", role: "stash", status: "active", lastSeenAt: new Date() },
  });
  let sequence = 0;
  const report = async (share: number) => {
    sequence += 1;
    const endMs = Date.now();
    const labels = { stash: name, device: "s0" };
    const gauges = [
      { metric: "stashlight_stash_used_bytes" as const, labels, value: share * 1e9 },
      { metric: "stashlight_stash_capacity_bytes" as const, labels, value: 1e9 },
    ];
    // Marks the node as seen, as the ingest does; otherwise it would become silent and its values would be ignored.
    await platform.db.node.update({ where: { id }, data: { lastSeenAt: new Date(endMs) } });
    const window = { startMs: endMs - 1000, endMs, histograms: [], counters: [], gauges };
    const batch = { nodeId: name, bootId: 1, sequence, window, gaps: [] };
    await acceptBatches({
      client: platform.metrics,
      batches: [{ nodeId: id, isSimulated: false, batch }],
      nowMs: endMs,
    });
  };
  return { name, report };
}
