export {
  type DriveState,
  driveStates,
  driveStateWords,
  type FailureRates,
  type FleetDriveRow,
  type ImportedQuarterRow,
  type ModelRateRow,
} from "./drive-state.ts";
export * from "./failure-rate.ts";
