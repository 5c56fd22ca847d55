/** Stages of a run as table rows, optionally machine by machine. */
import type { BenchmarkStageCosts } from "@stashlight/contracts/benchmark";
import {
  type BenchmarkStage,
  fitsWindow,
  type StageMachine,
  stageThroughput,
} from "@stashlight/contracts/sample";
import { HOUR_SECONDS, MINUTE_MS, MINUTE_SECONDS, SECOND_MS } from "@stashlight/contracts/time";
import { formatBytes, formatCount, formatElapsed, MISSING } from "@stashlight/ui";
import { formatDollars } from "../../format-plan.ts";

export const stageHeaders = ["Time", "MB/s", "Requests", "Uploaded", "Downloaded", "Failed", "Cost"] as const;

export interface StageRow {
  key: string;
  title: string;
  isMachine: boolean;
  /** Cells in the order of `stageHeaders`. */
  cells: string[];
  /** Null for a single machine, because only whole stages are compared with the window. */
  extrapolation: { time: string; fits: boolean } | null;
  failure: string | null;
}

const coarseFromMs = 10 * MINUTE_MS;
const short = (value: number): string =>
  value < 1000 ? String(Number(value.toPrecision(3))) : formatCount(Number(value.toPrecision(3)));

function formatTime(durationMs: number): string {
  if (durationMs >= coarseFromMs) return formatElapsed(durationMs);
  if (durationMs < SECOND_MS) return `${Number(durationMs.toPrecision(4))} ms`;
  return `${Number((durationMs / SECOND_MS).toPrecision(4))} s`;
}

/** "11.2 h", "24 min" */
function formatLong(seconds: number): string {
  if (seconds >= HOUR_SECONDS) return `${short(seconds / HOUR_SECONDS)} h`;
  return seconds >= MINUTE_SECONDS ? `${short(seconds / MINUTE_SECONDS)} min` : `${short(seconds)} s`;
}

export function stageRows(
  stages: readonly BenchmarkStage[],
  costs: BenchmarkStageCosts | null,
  showsMachines: boolean,
): StageRow[] {
  return stages.flatMap((stage) => {
    const { name, title, requests, extrapolation, failure, machines } = stage;
    const cost = costs?.byName[name];
    const row = {
      key: name,
      title,
      isMachine: false,
      cells: machineCells(stage, {
        requests: formatCount(requests.put + requests.get + requests.delete),
        cost: cost === undefined ? MISSING : formatDollars(cost),
      }),
      extrapolation: { time: formatLong(extrapolation.seconds), fits: fitsWindow(stage) },
      failure,
    };
    return showsMachines ? [row, ...machines.map((machine) => machineRow(name, machine))] : [row];
  });
}

function machineRow(stageName: string, machine: StageMachine): StageRow {
  return {
    key: `${stageName}/${machine.machine}`,
    title: `Machine ${machine.machine}`,
    isMachine: true,
    cells: machineCells(machine, { requests: MISSING, cost: MISSING }),
    extrapolation: null,
    failure: null,
  };
}

function machineCells(
  work: Omit<StageMachine, "machine">,
  { requests, cost }: { requests: string; cost: string },
): string[] {
  const throughput = stageThroughput(work);
  return [
    formatTime(work.durationMs),
    throughput === null ? MISSING : short(throughput),
    requests,
    formatBytes(work.uploadedBytes),
    formatBytes(work.downloadedBytes),
    formatCount(work.failedCount),
    cost,
  ];
}

/** "1 TB in 8 h", the target that all stages of a run share. */
export function windowWords({ extrapolation }: Pick<BenchmarkStage, "extrapolation">): string {
  const { protectedBytes, windowSeconds } = extrapolation;
  return `${formatBytes(protectedBytes)} in ${short(windowSeconds / HOUR_SECONDS)} h`;
}

/** Stages that have samples. */
export function stagesWith(
  stages: readonly BenchmarkStage[],
  samples: readonly { leg?: number | undefined }[],
): BenchmarkStage[] {
  const legs = new Set(samples.map(({ leg }) => leg));
  return stages.filter((stage) => stage.legs.some((leg) => legs.has(leg)));
}
