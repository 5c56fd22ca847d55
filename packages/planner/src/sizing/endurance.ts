/** Number of drives whose rated endurance outlasts the years of service. */
import { DAY_SECONDS } from "@stashlight/contracts/time";
import type { StashPlanInput } from "./plan-types.ts";

const DAYS_PER_YEAR = 365;

/** Bytes written over the years of service, divided by one drive's rating; a fraction. */
export function enduranceDrives(input: StashPlanInput, meanBytesPerSecond: number): number {
  const { drive } = input;
  const serviceSeconds = DAY_SECONDS * DAYS_PER_YEAR * input.serviceYears;
  const writtenBytes =
    meanBytesPerSecond * input.logWriteAmplification * input.deviceWriteAmplificationRatio * serviceSeconds;
  return writtenBytes / (drive.capacityBytes * drive.driveWritesPerDay * DAYS_PER_YEAR * drive.warrantyYears);
}
