/** Figures computed from a stage, kept apart from its schema, so that a page can compute them. */
import type { BenchmarkStage, StageMachine } from "./stage.ts";

/** Throughput of all bytes on the wire in MB/s; null if the stage took no time. */
export function stageThroughput({
  uploadedBytes,
  downloadedBytes,
  durationMs,
}: Pick<StageMachine, "uploadedBytes" | "downloadedBytes" | "durationMs">): number | null {
  return durationMs > 0 ? (uploadedBytes + downloadedBytes) / 1000 / durationMs : null;
}

export function fitsWindow({ extrapolation }: Pick<BenchmarkStage, "extrapolation">): boolean {
  return extrapolation.seconds <= extrapolation.windowSeconds;
}
