import type { CatalogueDrive } from "./catalogue.ts";

/**
 * Returns the mean host write rate that uses up the warranted endurance within the warranty: DWPD x capacity / 86,400
 * s. Null if unrated.
 */
export function allowedMeanWriteBytesPerSecond(drive: CatalogueDrive): number | null {
  if (drive.driveWritesPerDay === null) return null;
  return (drive.driveWritesPerDay.value * drive.capacityBytes.value) / 86_400;
}
