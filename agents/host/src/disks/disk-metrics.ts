/** The kernel's counters of a machine's drives, window by window. A removed drive leaves a gap. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import {
  type DiskCounts,
  type DiskWork,
  parseDiskstats,
  workBetween,
} from "@stashlight/node-runtime/machine";
import type { Recorder } from "@stashlight/telemetry";
import type { Medium } from "../arguments.ts";
import { type Drive, listDrives } from "./block-devices.ts";

export interface DiskMetricsOptions {
  readonly recorder: Recorder;
  readonly sysFolder?: string;
  readonly procFolder?: string;
  /** Medium by drive name, which overrides the kernel's. */
  readonly saidMedia?: ReadonlyMap<string, Medium>;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
}

interface Reading {
  readonly drive: Drive;
  readonly counts: DiskCounts;
  readonly atMs: number;
}

export class DiskMetrics {
  readonly #recorder: Recorder;
  readonly #sysFolder: string;
  readonly #saidMedia: ReadonlyMap<string, Medium>;
  readonly #diskstats: string;
  readonly #nowMs: () => number;
  #drives: readonly Drive[] = [];
  #readings = new Map<string, Reading>();

  constructor(options: DiskMetricsOptions) {
    const { recorder, sysFolder = "/sys", procFolder = "/proc", nowMs = () => performance.now() } = options;
    this.#recorder = recorder;
    this.#sysFolder = sysFolder;
    this.#saidMedia = options.saidMedia ?? new Map();
    this.#diskstats = join(procFolder, "diskstats");
    this.#nowMs = nowMs;
    recorder.onRead(() => this.#read());
  }

  get drives(): readonly Drive[] {
    return this.#drives;
  }

  /** Detects added and removed drives. */
  async refresh(): Promise<void> {
    this.#drives = await listDrives(this.#sysFolder, this.#saidMedia);
  }

  #read(): void {
    const atMs = this.#nowMs();
    const counts = this.#counts();
    const readings = new Map<string, Reading>();
    for (const drive of this.#drives) {
      const found = counts.get(drive.name);
      if (found !== undefined) readings.set(driveLabel(drive), { drive, counts: found, atMs });
    }
    for (const [key, { drive }] of this.#readings) {
      if (!readings.has(key)) setLevels(this.#recorder, drive, null);
    }
    for (const [key, { drive, counts: after }] of readings) {
      const before = this.#readings.get(key);
      const isSame = before !== undefined && before.drive.sequence === drive.sequence;
      const work = isSame ? workBetween(before.counts, after, atMs - before.atMs) : null;
      setLevels(this.#recorder, drive, work);
      const labels = { tier: drive.medium, device: drive.name };
      this.#recorder.gauge("stashlight_device_capacity_bytes", labels).set(drive.sizeBytes);
      if (work !== null) count(this.#recorder, drive, work);
    }
    this.#readings = readings;
  }

  #counts(): Map<string, DiskCounts> {
    try {
      return parseDiskstats(readFileSync(this.#diskstats, "utf8"));
    } catch {
      return new Map();
    }
  }
}

const driveLabel = ({ name, medium }: Drive): string => `${medium} ${name}`;

function setLevels(recorder: Recorder, { name: device, medium: tier }: Drive, work: DiskWork | null): void {
  const labels = { tier, device };
  if (work === null) recorder.gauge("stashlight_device_capacity_bytes", labels).set(null);
  recorder.gauge("stashlight_device_busy_ratio", labels).set(work?.busyRatio ?? null);
  recorder.gauge("stashlight_device_queue_requests", labels).set(work?.queueRequests ?? null);
  recorder.gauge("stashlight_device_read_mean_seconds", labels).set(work?.readMeanSeconds ?? null);
  recorder.gauge("stashlight_device_write_mean_seconds", labels).set(work?.writeMeanSeconds ?? null);
  recorder.gauge("stashlight_device_flush_mean_seconds", labels).set(work?.flushMeanSeconds ?? null);
}

function count(recorder: Recorder, { name: device, medium: tier }: Drive, work: DiskWork): void {
  const labels = { tier, device };
  recorder.counter("stashlight_device_reads_total", labels).add(work.reads);
  recorder.counter("stashlight_device_read_bytes_total", labels).add(work.readBytes);
  recorder.counter("stashlight_device_writes_total", labels).add(work.writes);
  recorder.counter("stashlight_device_written_bytes_total", labels).add(work.writtenBytes);
}
