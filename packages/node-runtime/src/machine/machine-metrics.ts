/**
 * Metrics of the machine under an agent: what its processes wait for when all of its drives slow down at once. Every
 * agent reports them, so that a page knows which nodes share a machine; a machine is identified by its host name.
 */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Recorder } from "@stashlight/telemetry";
import { type DiskCounts, parseDiskstats, workBetween } from "./diskstats.ts";
import { type ProcessorTimes, parseLoad, parseMemory, parsePressure, parseProcessorTimes } from "./procfs.ts";

export interface MachineOptions {
  readonly machine?: string;
  readonly procFolder?: string;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
}

const resources = ["cpu", "memory", "io"] as const;

interface Reading {
  readonly atMs: number;
  readonly times: ProcessorTimes | null;
  /** Stall times, in the order of the resources. */
  readonly stalledUs: readonly (number | null)[];
  readonly disks: ReadonlyMap<string, DiskCounts>;
}

/** Reports nothing on systems other than Linux. */
export function watchMachine(recorder: Recorder, options: MachineOptions = {}): void {
  const { machine = hostname(), procFolder = "/proc", nowMs = () => performance.now() } = options;
  const labels = { machine };
  const load = recorder.gauge("stashlight_machine_load", labels);
  const processors = recorder.gauge("stashlight_machine_processors", labels);
  const iowait = recorder.gauge("stashlight_machine_iowait_ratio", labels);
  const busy = recorder.gauge("stashlight_machine_disk_busy_ratio", labels);
  const used = recorder.gauge("stashlight_machine_memory_used_bytes", labels);
  const capacity = recorder.gauge("stashlight_machine_memory_capacity_bytes", labels);
  const pressures = resources.map((resource) =>
    recorder.gauge("stashlight_machine_pressure_ratio", { machine, resource }),
  );
  const read = (file: string): string => readText(join(procFolder, file));
  const takeReading = (): Reading => ({
    atMs: nowMs(),
    times: parseProcessorTimes(read("stat")),
    stalledUs: resources.map((resource) => parsePressure(read(`pressure/${resource}`))),
    disks: parseDiskstats(read("diskstats")),
  });
  let before = takeReading();
  recorder.onRead(() => {
    const after = takeReading();
    const memory = parseMemory(read("meminfo"));
    load.set(parseLoad(read("loadavg")));
    processors.set(after.times?.processorCount || null);
    iowait.set(iowaitBetween(before.times, after.times));
    busy.set(busiestBetween(before, after));
    used.set(memory?.usedBytes ?? null);
    capacity.set(memory?.capacityBytes ?? null);
    pressures.forEach((pressure, i) => {
      const [from = null, to = null] = [before.stalledUs[i], after.stalledUs[i]];
      pressure.set(usedShare(from, to, (after.atMs - before.atMs) * 1_000));
    });
    before = after;
  });
}

/** Returns the increase as a share of its maximum; null if a reading is unknown or fell. */
function usedShare(before: number | null, after: number | null, most: number): number | null {
  if (before === null || after === null || after < before || !(most > 0)) return null;
  return Math.min(1, (after - before) / most);
}

function iowaitBetween(before: ProcessorTimes | null, after: ProcessorTimes | null): number | null {
  if (before === null || after === null) return null;
  return usedShare(before.iowait, after.iowait, after.total - before.total);
}

/** Matches whole drives: not partitions or devices that map to others. */
const WHOLE_DRIVE = /^(?:sd[a-z]+|hd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+)$/;

function busiestBetween(before: Reading, after: Reading): number | null {
  const shares = [...after.disks].flatMap(([name, counts]) => {
    const earlier = before.disks.get(name);
    if (earlier === undefined || !WHOLE_DRIVE.test(name)) return [];
    return workBetween(earlier, counts, after.atMs - before.atMs)?.busyRatio ?? [];
  });
  return shares.length === 0 ? null : Math.max(...shares);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
