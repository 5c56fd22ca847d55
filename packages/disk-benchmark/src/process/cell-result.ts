/** Inputs from which a process measures a cell, and the cell's result. */
import type { DiskCell, DiskCellResult, DiskLatency, SteadyState } from "@stashlight/contracts/disk";
import { samplesNeeded } from "@stashlight/stats";
import type { ExponentialHistogram } from "@stashlight/telemetry/histogram";
import { STEADY_ROUNDS } from "../steady-state.ts";
import type { Bucket } from "./bucket.ts";

export interface CellClock {
  readonly nowMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export interface CellSurroundings {
  readonly clock: CellClock;
  readonly descriptor: number;
  /** Offset of the measured bytes. */
  readonly offsetBytes: number;
  readonly fileBytes: number;
  /** One buffer per request in flight, at least a block long. */
  readonly buffers: readonly Uint8Array[];
  readonly seed: number;
  readonly bucket: Bucket | null;
  /** Bytes that may still be written. */
  readonly writableBytes: number;
  /** Returns true to end the cell early, with the measurements so far. */
  readonly isOver: (writtenBytes: number) => boolean;
  /** Called while threads are started, with the number that runs and the number that the cell needs. */
  readonly onStarting: (started: number, wanted: number) => void;
  /** Called before a request is issued; resolves once the parent has been notified. */
  readonly onAsked: () => Promise<void>;
  /** Called after each second in which a request ended, so that the parent notices a drive that does not answer. */
  readonly onSecond: (second: number, writtenBytes: number) => void;
}

interface Measured {
  readonly cell: DiskCell;
  readonly seconds: number;
  readonly latencies: { readonly read: ExponentialHistogram; readonly write: ExponentialHistogram };
  /** Requests per second of each whole round; null for a cell without rounds. */
  readonly rounds: readonly { readonly reads: number; readonly writes: number }[] | null;
  readonly steadyState: SteadyState | null;
  readonly perSecond: DiskCellResult["perSecond"];
}

export function toCellResult({
  cell,
  seconds,
  latencies,
  rounds,
  steadyState,
  perSecond,
}: Measured): DiskCellResult {
  const { read, write } = latencies;
  const last = rounds?.slice(-STEADY_ROUNDS) ?? [];
  const settledRate = (all: number, of: "reads" | "writes"): number =>
    last.length === 0 ? all / seconds : last.reduce((sum, round) => sum + round[of], 0) / last.length;
  return {
    cell,
    seconds,
    readsPerSecond: settledRate(read.count, "reads"),
    writesPerSecond: settledRate(write.count, "writes"),
    read: histogramLatency(read),
    write: histogramLatency(write),
    steadyState,
    perSecond,
    writtenBytes: write.count * cell.blockBytes,
  };
}

function histogramLatency(histogram: ExponentialHistogram): DiskLatency {
  const n = histogram.count;
  const quantile = (perMillion: number): number | null =>
    n < samplesNeeded(perMillion) ? null : histogram.quantile(perMillion);
  return {
    n,
    meanUs: n === 0 ? null : histogram.sum / n,
    p50Us: quantile(500_000),
    p99Us: quantile(990_000),
    p999Us: quantile(999_000),
    maxUs: histogram.max,
  };
}
