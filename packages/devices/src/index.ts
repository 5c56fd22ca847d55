export * from "./catalogue.ts";
export { customDevice } from "./custom.ts";
export type { DeviceFigures } from "./device-figures.ts";
export { type ComparedFigure, type DriveComparison, hddAgainstSsd } from "./drive-comparison.ts";
export { allowedMeanWriteBytesPerSecond } from "./endurance.ts";
export { DeviceFigureError } from "./errors.ts";
export type {
  DeviceKind,
  DeviceOperation,
  ServiceModel,
} from "./service-model.ts";
