/** Figures of a backup apart from its stages: the total, each machine, and whether it fits into the nightly window. */
import assert from "node:assert/strict";
import { type BenchmarkStage, fitsWindow, stageThroughput } from "@stashlight/contracts/sample";
import { HOUR_SECONDS } from "@stashlight/contracts/time";
import type { MethodResult } from "../method.ts";

const TERABYTE = 1e12;

export function backupResults(stages: readonly BenchmarkStage[]): MethodResult[] {
  const full = stages.find(({ name }) => name === "full");
  assert(full, "A backup has a full backup.");
  const incrementals = stages.filter(({ name }) => name.startsWith("incremental-"));
  const slowest = incrementals.toSorted((a, b) => b.durationMs - a.durationMs)[0];
  return [
    ...fullBackupResults(full, stages.length > 1 ? "Full backup" : "Whole backup"),
    ...machineResults(full),
    windowResult("window/full", "Full backup", full),
    ...(slowest === undefined
      ? []
      : [windowResult("window/nightly", `Nightly incremental (the slowest, ${slowest.title})`, slowest)]),
    ...stages.filter((stage) => stage !== full).flatMap(failed),
  ];
}

function fullBackupResults(full: BenchmarkStage, title: string): MethodResult[] {
  const { durationMs, dataBytes } = full;
  const seconds = durationMs / 1000;
  const unfinished = unfinishedWords(full);
  const measured = { isExtrapolated: false };
  const of = full.machines.length === 1 ? "" : ` of ${full.machines.length} machines`;
  return [
    { name: "total", value: durationMs, unit: "ms", label: `${title}${of}${unfinished}`, ...measured },
    {
      name: "throughput/data",
      value: dataBytes / 1e6 / seconds,
      unit: "MB/s",
      label: `Data set over total time, including blocks that were already stored${unfinished}`,
      ...measured,
    },
    {
      name: "throughput/uploaded",
      value: stageThroughput(full) ?? 0,
      unit: "MB/s",
      label: `Bytes uploaded over total time${unfinished}`,
      ...measured,
    },
    {
      name: "terabyte",
      value: (seconds * TERABYTE) / dataBytes,
      unit: "s",
      label: `1 TB at this pace: ${extrapolated(full)}${unfinished}`,
      isExtrapolated: true,
    },
  ];
}

/** Empty for a single machine, whose figures equal those of the whole run. */
function machineResults({ machines }: BenchmarkStage): MethodResult[] {
  if (machines.length === 1) return [];
  return machines.map((machine) => ({
    name: `machine/${machine.machine}`,
    value: stageThroughput(machine) ?? 0,
    unit: "MB/s",
    label: `Bytes that machine ${machine.machine} uploaded over the time of its full backup`,
    isExtrapolated: false,
  }));
}

function windowResult(name: string, title: string, stage: BenchmarkStage): MethodResult {
  const { protectedBytes, seconds, windowSeconds } = stage.extrapolation;
  const answer = fitsWindow(stage) ? "fits into" : "does not fit into";
  const hours = Number((windowSeconds / HOUR_SECONDS).toPrecision(3));
  const what = `${title} of ${Number((protectedBytes / TERABYTE).toPrecision(4))} TB at this pace`;
  return {
    name,
    value: seconds,
    unit: "s",
    label: `${what}, which ${answer} a nightly window of ${hours} h: ${extrapolated(stage)}${unfinishedWords(stage)}`,
    isExtrapolated: true,
  };
}

function failed({ name, title, failedCount, failure }: BenchmarkStage): MethodResult[] {
  if (failure === null) return [];
  const label = `${title}: ${failure}`;
  return [{ name: `failed/${name}`, value: failedCount, unit: "1", label, isExtrapolated: false }];
}

const extrapolated = ({ dataBytes }: BenchmarkStage): string =>
  `extrapolated from ${(dataBytes / 1e6).toFixed(0)} MB, not measured`;

const unfinishedWords = ({ failure }: BenchmarkStage): string =>
  failure === null ? "" : `; ${failure}, so the backup is incomplete`;
