/** Configures the machine agent's watches and their intervals. */
import type { Recorder } from "@stashlight/telemetry";
import type { Logger } from "pino";
import { DiskMetrics } from "./disks/disk-metrics.ts";
import { FilesystemMetrics } from "./filesystems/filesystem-metrics.ts";
import { FsyncProbe } from "./fsync/fsync-probe.ts";
import type { FsyncPlace, Kernel } from "./fsync/timed-drive.ts";
import { type ScrapeSource, watchSources } from "./scrape/index.ts";
import { SmartMetrics } from "./smart/smart-metrics.ts";

export interface HostOptions {
  readonly recorder: Recorder;
  readonly places: readonly FsyncPlace[];
  readonly sources: readonly ScrapeSource[];
  readonly kernel: Kernel;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  /** Milliseconds of the wall clock. */
  readonly wallMs: () => number;
  readonly logger: Logger;
}

/** Several times per window, so that a filling file system is reported as quickly as other metrics. */
const FILESYSTEMS_EVERY_MS = 5_000;
const DRIVES_EVERY_MS = 30_000;
/** Health changes over days, and some drives take a second to report it. */
const SMART_EVERY_MS = 600_000;

/** Starts watching; the returned function stops it and leaves nothing behind. */
export async function watchHost(options: HostOptions): Promise<() => Promise<void>> {
  const { recorder, places, sources, kernel, nowMs, wallMs, logger } = options;
  const saidMedia = new Map(places.map(({ device, medium }) => [device, medium] as const));
  const disks = new DiskMetrics({ recorder, nowMs, saidMedia, ...kernel });
  const filesystems = new FilesystemMetrics({ recorder, procFolder: kernel.procFolder });
  const smart = new SmartMetrics({ recorder, logger, sysFolder: kernel.sysFolder });
  const probes = places.map((place) => new FsyncProbe({ place, recorder, logger, nowMs }));
  await disks.refresh();
  await filesystems.refresh();
  // The first window counts from now.
  void smart.refresh(disks.drives);
  const timers = [
    setInterval(() => void filesystems.refresh(), FILESYSTEMS_EVERY_MS),
    setInterval(() => void disks.refresh(), DRIVES_EVERY_MS),
    setInterval(() => void smart.refresh(disks.drives), SMART_EVERY_MS),
  ];
  await Promise.all(probes.map((probe) => probe.start()));
  const stopSources = watchSources({ sources, recorder, logger, wallMs });
  logger.info(
    {
      drives: disks.drives.map(({ name }) => name),
      fsync: places.map(({ folder }) => folder),
      sources: sources.map(({ name }) => name),
    },
    "watching",
  );
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all([stopSources(), ...probes.map((probe) => probe.stop())]);
  };
}
