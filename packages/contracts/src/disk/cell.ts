/**
 * Cell: one load on one file, and its result. It is plain data that crosses processes, is stored, and goes to files.
 */
import type { DiskCell, DiskCellResult, DiskLatency } from "./cell-schema.ts";

export { diskAccesses } from "./access.ts";
export type { DiskCell, DiskCellResult, DiskLatency, SteadyState } from "./cell-schema.ts";

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

/** Key shared by cells of different runs with the same load on a drive. */
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
