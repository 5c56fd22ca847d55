/**
 * Expected latency of a drive at its load, from drives in the same role: a robust regression of the logarithm of
 * latency on throughput and queue, pooled over all drives, plus what all of them shared in a window. The idea is from
 * PERSEUS (Lu et al., FAST 2023), which fits throughput and latency per node and omits outliers.
 */
import { dotAt, FEATURE_COUNT, fitRobustly, medianOr } from "./robust-fit.ts";

/** One window of a drive. */
export interface DriveWindow {
  readonly latencySeconds: number;
  readonly bytesPerSecond: number;
  /** Number of waiting requests or shards, in any unit that all drives share. */
  readonly queue: number;
}

export interface PeerDrive {
  readonly id: string;
  /** One element per window, the same windows for every drive of a group; null where the drive reported nothing. */
  readonly windows: readonly (DriveWindow | null)[];
}

type DriveLoad = Pick<DriveWindow, "bytesPerSecond" | "queue">;

export interface PeerFit {
  /** Latency at this load, without the effects of a single drive or window. */
  expectedSeconds(load: DriveLoad): number;
  /** Highest throughput that the fit covers. */
  readonly bytesPerSecondMax: number;
  /**
   * Logarithm of measured over expected latency by drive and window, minus the effect of the window on all drives; NaN
   * where the drive reported nothing, or exceeded the range of the fit.
   */
  readonly excess: readonly Float64Array[];
}

/** Maximum number of rows in the fit; more would not change it. */
const FIT_ROWS_MAX = 3000;
/** Minimum number of drives in a window for an estimate of their shared effect. */
const SHARED_DRIVES_MIN = 4;
const LATENCY_SECONDS_MIN = 1e-7;
/**
 * Quantile of throughput up to which the fit applies: above it, rows are too few for a curve that becomes steep there.
 */
const COVERED_SHARE = 0.98;
/** A queue above this quantile of all drives in the window is a symptom of the drive rather than part of its load. */
const QUEUE_SHARE = 0.75;

export function fitPeers(drives: readonly PeerDrive[]): PeerFit {
  const capped = withCappedQueues(drives);
  const known = capped.flatMap((windows) => windows.filter((window) => window !== null));
  const stride = Math.max(1, Math.ceil(known.length / FIT_ROWS_MAX));
  const rows = known.filter((_, at) => at % stride === 0);
  const throughputs = Float64Array.from(rows, ({ bytesPerSecond }) => bytesPerSecond).sort();
  // Scaling by a median makes the fit independent of units.
  const unit = Math.max(1, quantileOf(throughputs, 0.5));
  const bytesPerSecondMax = quantileOf(throughputs, COVERED_SHARE);
  const features = new Float64Array(rows.length * FEATURE_COUNT);
  for (const [at, row] of rows.entries()) writeFeatures(row, unit, features, at);
  const coefficients = fitRobustly({ features, values: Float64Array.from(rows, logLatency) });
  const scratch = new Float64Array(FEATURE_COUNT);
  const predict = (load: DriveLoad): number => {
    writeFeatures(load, unit, scratch, 0);
    return dotAt(coefficients, scratch, 0);
  };
  const residuals = capped.map((windows) =>
    Float64Array.from(windows, (window) =>
      window === null || window.bytesPerSecond > bytesPerSecondMax
        ? Number.NaN
        : logLatency(window) - predict(window),
    ),
  );
  const shared = sharedBy(residuals);
  const excess = residuals.map((of) => of.map((residual, at) => residual - (shared[at] as number)));
  return { expectedSeconds: (load) => Math.exp(predict(load)), bytesPerSecondMax, excess };
}

/** Returns the windows of each drive, the same number for all, with queues capped. */
function withCappedQueues(drives: readonly PeerDrive[]): (DriveWindow | null)[][] {
  const windowCount = Math.max(0, ...drives.map(({ windows }) => windows.length));
  const capped = drives.map((): (DriveWindow | null)[] => new Array(windowCount).fill(null));
  for (let at = 0; at < windowCount; at += 1) {
    const queues = drives.flatMap(({ windows }) => windows[at]?.queue ?? []);
    const cap = quantileOf(Float64Array.from(queues).sort(), QUEUE_SHARE);
    drives.forEach(({ windows }, drive) => {
      const window = windows[at] ?? null;
      const own = capped[drive];
      if (own !== undefined && window !== null) own[at] = { ...window, queue: Math.min(window.queue, cap) };
    });
  }
  return capped;
}

const quantileOf = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

const logLatency = ({ latencySeconds }: DriveWindow): number =>
  Math.log(Math.max(LATENCY_SECONDS_MIN, latencySeconds));

/** Latency rises slowly with throughput at first and steeply near saturation, so the features include the square. */
function writeFeatures(
  { bytesPerSecond, queue }: DriveLoad,
  unit: number,
  into: Float64Array,
  row: number,
): void {
  const throughput = Math.log1p(Math.max(0, bytesPerSecond) / unit);
  const at = row * FEATURE_COUNT;
  into[at] = 1;
  into[at + 1] = throughput;
  into[at + 2] = throughput * throughput;
  into[at + 3] = Math.log1p(Math.max(0, queue));
}

/** A stalled machine slows all of its drives, which proves nothing about any single drive. */
function sharedBy(residuals: readonly Float64Array[]): Float64Array {
  const found = new Float64Array(residuals.length);
  return new Float64Array(residuals[0]?.length ?? 0).map((_, at) => {
    let count = 0;
    for (const of of residuals) {
      const residual = of[at] as number;
      if (!Number.isNaN(residual)) found[count++] = residual;
    }
    return count < SHARED_DRIVES_MIN ? 0 : medianOr(found.subarray(0, count), 0);
  });
}
