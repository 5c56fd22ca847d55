/** A cell: one load on one file, and what came of it. It is plain data: it crosses processes, is stored, and goes to files. */

export const diskAccesses = ["sequential", "random"] as const;
export type DiskAccess = (typeof diskAccesses)[number];

/** What is asked of the drive: as many requests under way as `queueDepth`, one after the other for `secondsMax`. */
export interface DiskCell {
  readonly access: DiskAccess;
  /** 1 reads only, 0 writes only, 0.8 reads four times of five. */
  readonly readShare: number;
  readonly blockBytes: number;
  readonly queueDepth: number;
  /** Each write is followed by an fdatasync, which its latency contains: the way in which a stash writes. */
  readonly syncsWrites: boolean;
  readonly secondsMax: number;
  /** Ends as soon as the rate is steady over five rounds of this length; null runs to the end. */
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
 * Steady: over the last five rounds the rates lie within 20 % of their mean, and the best line through them rises or falls
 * by no more than 10 % of it (SNIA, Solid State Storage Performance Test Specification). Shares are of the mean rate.
 */
export interface SteadyState {
  readonly isSteady: boolean;
  readonly excursionShare: number;
  readonly slopeShare: number;
}

export interface DiskSeconds {
  /** Requests that ended in each second. */
  readonly iops: readonly number[];
  /** Their mean latency, 0 where none ended. */
  readonly meanUs: readonly number[];
  /** Share of the requests' time that was a wait for a processor; missing where the kernel does not count it. */
  readonly waitedShare?: readonly number[] | undefined;
}

export interface DiskCellResult {
  readonly cell: DiskCell;
  readonly seconds: number;
  /** The rates of the last five rounds where there are rounds, of the whole time otherwise. */
  readonly readsPerSecond: number;
  readonly writesPerSecond: number;
  readonly read: DiskLatency;
  readonly write: DiskLatency;
  /** Null without rounds, and with fewer than five. */
  readonly steadyState: SteadyState | null;
  readonly perSecond: DiskSeconds;
  readonly writtenBytes: number;
}

/** What the kernel tells of a drive; null where it tells nothing, as of tmpfs and overlays. */
export interface BlockDevice {
  readonly name: string | null;
  readonly model: string | null;
  readonly isRotational: boolean | null;
  readonly logicalBlockBytes: number | null;
  readonly scheduler: string | null;
  readonly writeCache: string | null;
}

/** The order of cells in tables. */
export function byPlace(a: DiskCell, b: DiskCell): number {
  return (
    a.access.localeCompare(b.access) ||
    b.readShare - a.readShare ||
    a.queueDepth - b.queueDepth ||
    a.blockBytes - b.blockBytes
  );
}

/** The same for cells of different runs that put the same load on a drive. */
export const cellKeyOf = ({
  access,
  readShare,
  blockBytes,
  queueDepth,
  syncsWrites,
}: Omit<DiskCell, "secondsMax" | "roundSeconds">): string =>
  [access, readShare, blockBytes, queueDepth, ...(syncsWrites ? ["synced"] : [])].join(" ");

export const iopsOf = ({
  readsPerSecond,
  writesPerSecond,
}: Pick<DiskCellResult, "readsPerSecond" | "writesPerSecond">): number => readsPerSecond + writesPerSecond;

/** The latency of reads, or of writes where there were more of them. */
export const mainLatencyOf = ({ read, write }: Pick<DiskCellResult, "read" | "write">): DiskLatency =>
  read.n >= write.n ? read : write;
