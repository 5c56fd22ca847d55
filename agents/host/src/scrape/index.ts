/** Reads stores' own metrics: Ceph, MinIO, ZFS. */
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import type { ScrapeSource } from "./file.ts";
import { ReportedDevices } from "./reported-devices.ts";
import { SourceWatch } from "./source-watch.ts";

export { readScrapeFile, type ScrapeSource } from "./file.ts";

export interface ScrapeOptions {
  readonly sources: readonly ScrapeSource[];
  readonly recorder: Recorder;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Milliseconds of the wall clock. */
  readonly wallMs: () => number;
}

/** Starts polling; the returned function cancels pending requests. */
export function watchSources({ sources, wallMs, ...given }: ScrapeOptions): () => Promise<void> {
  const devices = new ReportedDevices();
  const watches = sources.map((source) => new SourceWatch({ ...given, source, devices, nowMs: wallMs }));
  for (const watch of watches) watch.start();
  return async () => {
    await Promise.all(watches.map((watch) => watch.stop()));
  };
}
