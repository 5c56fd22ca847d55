export { DiskError } from "./disk-error.ts";
export { type DiskEstimate, estimateCells } from "./estimate.ts";
export { type DiskRun, type DiskRunOptions, measureDisk } from "./measure-disk.ts";
export {
  checkCell,
  inDrawnOrder,
  type SweepPreset,
  sweepCells,
  sweepPresets,
} from "./methods.ts";
export type { DrivePlace } from "./place/drive-place.ts";
export type { BucketModel } from "./process/bucket.ts";
