export type { DiskCell, DiskCellResult, DiskLatency } from "./cell.ts";
export { DiskError } from "./disk-error.ts";
export { type DiskEstimate, estimateOf } from "./estimate.ts";
export { type DiskRun, type DiskRunOptions, measureDisk } from "./measure-disk.ts";
export { checkCell, type SweepPreset, sweepCells, sweepPresets } from "./methods.ts";
