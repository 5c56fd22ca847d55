/** Metrics of garbage, and of the leases that protect objects from collection. */
import type { Recorder } from "@stashlight/telemetry";
import type { SpaceParts } from "./garbage-collection.ts";

export function followSpace(
  recorder: Recorder,
  { collector, holds }: Pick<SpaceParts, "collector" | "holds">,
): void {
  const waiting = recorder.gauge("stashlight_pieces_waiting_bytes", {});
  const leased = recorder.gauge("stashlight_leased_holds", {});
  const collected = recorder.counter("stashlight_pieces_collected_total", {});
  const collectedBytes = recorder.counter("stashlight_pieces_collected_bytes_total", {});
  const failures = recorder.counter("stashlight_collection_failures_total", {});
  const left = recorder.counter("stashlight_collections_left_total", {});
  const unstored = recorder.counter("stashlight_lease_failures_total", { reason: "not stored" });
  const refused = recorder.counter("stashlight_lease_failures_total", { reason: "too many" });
  recorder.onRead(() => {
    waiting.set(collector.waitingBytes);
    leased.set(holds.leasedCount);
    collected.follow(collector.collectedCount);
    collectedBytes.follow(collector.collectedBytes);
    failures.follow(collector.failureCount);
    left.follow(collector.leftCount);
    unstored.follow(holds.failedLeaseCount);
    refused.follow(holds.refusedCount);
  });
}
