/**
 * Cell: one load on one file, and its result. It is plain data that crosses processes, is stored, and goes to files.
 */

export const diskAccesses = ["sequential", "random"] as const;
export type DiskAccess = (typeof diskAccesses)[number];

/** A load on the drive: `queueDepth` requests at a time, one after another, for `secondsMax`. */
export interface DiskCell {
  readonly access: DiskAccess;
  /** 1 for reads only, 0 for writes only, 0.8 for four reads in five. */
  readonly readShare: number;
  readonly blockBytes: number;
  readonly queueDepth: number;
  /** Follows each write by an fdatasync, included in its latency, as a stash does. */
  readonly syncsWrites: boolean;
  readonly secondsMax: number;
  /** Ends the cell as soon as the rate is steady over five rounds of this length; null runs to the end. */
  readonly roundSeconds: number | null;
}

/** Microseconds from handing over a request to its answer; percentiles within 2.2 %, null with too few requests. */
export interface DiskLatency {
  readonly n: number;
  readonly meanUs: number | null;
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly p999Us: number | null;
  readonly maxUs: number | null;
}

/**
 * Steady: the rates of the last five rounds are within 20 % of their mean, and the best line through them rises or
 * falls by no more than 10 % of it (SNIA, Solid State Storage Performance Test Specification). Shares are of the mean
 * rate.
 */
export interface SteadyState {
  readonly isSteady: boolean;
  readonly excursionShare: number;
  readonly slopeShare: number;
}

export interface DiskSeconds {
  /** Number of requests that ended in each second. */
  readonly iops: readonly number[];
  /** Their mean latency, 0 if none ended. */
  readonly meanUs: readonly number[];
  /** Share of the requests' time spent waiting for a processor; missing if the kernel does not count it. */
  readonly waitedShare?: readonly number[] | undefined;
}

export interface DiskCellResult {
  readonly cell: DiskCell;
  readonly seconds: number;
  /** Rates of the last five rounds if there are rounds, otherwise of the whole time. */
  readonly readsPerSecond: number;
  readonly writesPerSecond: number;
  readonly read: DiskLatency;
  readonly write: DiskLatency;
  /** Null without rounds, and with fewer than five. */
  readonly steadyState: SteadyState | null;
  readonly perSecond: DiskSeconds;
  readonly writtenBytes: number;
}

/** Kernel's description of a drive; null if it has none, as for tmpfs and overlays. */
export interface BlockDevice {
  readonly name: string | null;
  readonly model: string | null;
  readonly isRotational: boolean | null;
  readonly logicalBlockBytes: number | null;
  readonly scheduler: string | null;
  readonly writeCache: string | null;
}

/** Order of cells in tables. */
export function byPlace(a: DiskCell, b: DiskCell): number {
  return (
    a.access.localeCompare(b.access) ||
    b.readShare - a.readShare ||
    a.queueDepth - b.queueDepth ||
    a.blockBytes - b.blockBytes
  );
}

/** Key that is equal for cells of different runs with the same load on a drive. */
export const diskCellKey = ({
  access,
  readShare,
  blockBytes,
  queueDepth,
  syncsWrites,
}: Omit<DiskCell, "secondsMax" | "roundSeconds">): string =>
  [access, readShare, blockBytes, queueDepth, ...(syncsWrites ? ["synced"] : [])].join(" ");

export const cellIops = ({
  readsPerSecond,
  writesPerSecond,
}: Pick<DiskCellResult, "readsPerSecond" | "writesPerSecond">): number => readsPerSecond + writesPerSecond;

/** Latency of reads, or of writes if there were more. */
export const mainLatency = ({ read, write }: Pick<DiskCellResult, "read" | "write">): DiskLatency =>
  read.n >= write.n ? read : write;
