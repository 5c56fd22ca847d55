export {
  type BlockDevice,
  byPlace,
  cellIops,
  type DiskCell,
  type DiskCellResult,
  type DiskLatency,
  diskAccesses,
  diskCellKey,
  mainLatency,
  type SteadyState,
} from "./cell.ts";
export { diskCellResultSchema } from "./cell-schema.ts";
export {
  type DriveLabels,
  driveLabelsSchema,
  type MeasurableDrive,
  measurableDriveSchema,
  modelledBucketSchema,
} from "./drive.ts";
export { type DrivePeers, type DrivePeersInput, drivePeersInput, type PeerPoint } from "./peers.ts";
export {
  type ComparedCell,
  type ComparedFigure,
  compareDrivesInput,
  type DiskCellRow,
  type DiskRunDetails,
  type DriveComparison,
  type DriveDetails,
  type DriveFigure,
  type DriveGrouping,
  type DriveRow,
  type DriveRunRow,
  type DriveSyncs,
  driveIdInput,
  type LatencyOverTime,
  type PlannableDrive,
} from "./target.ts";
