/**
 * Expected latency of a drive at its load, from drives in the same role: a robust regression of the logarithm of
 * latency on throughput and queue, pooled over all of them, and what all of them shared in a window. The idea is that of
 * PERSEUS (Lu et al., FAST 2023), which fits throughput and latency per node and leaves outliers out.
 */
import { dotAt, FEATURE_COUNT, fitRobustly, medianOr } from "./robust-fit.ts";

/** One window of a drive. */
export interface DriveWindow {
  readonly latencySeconds: number;
  readonly bytesPerSecond: number;
  /** Requests or shards that wait, in any unit that all drives share. */
  readonly queue: number;
}

export interface PeerDrive {
  readonly id: string;
  /** By window, the same ones for every drive of a group; null where the drive reported nothing. */
  readonly windows: readonly (DriveWindow | null)[];
}

type DriveLoad = Pick<DriveWindow, "bytesPerSecond" | "queue">;

export interface PeerFit {
  /** Latency at this load, without what a single drive or a single window adds. */
  expectedSeconds(load: DriveLoad): number;
  /** The highest throughput that the fit covers. */
  readonly bytesPerSecondMax: number;
  /**
   * By drive and window: logarithm of measured over expected latency, less what the window added to all; NaN where the
   * drive reported nothing, or did more than the fit covers.
   */
  readonly excess: readonly Float64Array[];
}

/** Rows that decide the fit; more do not change it. */
const FIT_ROWS_MAX = 3000;
/** Below this many drives of a window, what they share is no evidence. */
const SHARED_DRIVES_MIN = 4;
const LATENCY_SECONDS_MIN = 1e-7;
/** Rows of a throughput above this quantile are too few to fit a curve that becomes steep there. */
const COVERED_SHARE = 0.98;
/** A queue above this quantile of all drives in the window is a symptom of the drive rather than its load. */
const QUEUE_SHARE = 0.75;

export function fitPeers(drives: readonly PeerDrive[]): PeerFit {
  const capped = withCappedQueues(drives);
  const known = capped.flatMap((windows) => windows.filter((window) => window !== null));
  const stride = Math.max(1, Math.ceil(known.length / FIT_ROWS_MAX));
  const rows = known.filter((_, at) => at % stride === 0);
  const throughputs = Float64Array.from(rows, ({ bytesPerSecond }) => bytesPerSecond).sort();
  // A median makes the fit independent of units.
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

/** The windows of each drive, as many for all. */
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

/** Latency rises slowly with throughput at first and steeply near saturation, so it gets a square. */
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

/** A machine that stalls slows all of its drives, which is no evidence about any of them. */
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
