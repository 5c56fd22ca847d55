/** What follows from a stage; without its schema, so that a page can compute it. */
import type { BenchmarkStage, StageMachine } from "./stage.ts";

/** Everything that went over the wire, in MB/s; null where it took no time. */
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
