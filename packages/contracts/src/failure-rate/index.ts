export {
  type DriveState,
  driveStates,
  driveStateWords,
  type FailureRates,
  type FleetDriveRow,
  type ImportedQuarterRow,
  type ModelRateRow,
} from "./drive-state.ts";
export {
  type DriveStatsImport,
  drivePlaceInput,
  importDriveStatsInput,
  markDriveInput,
  quarterOf,
} from "./failure-rate.ts";
