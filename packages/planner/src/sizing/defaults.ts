import { findDrive } from "@stashlight/devices";
import type { DriveInput, StashPlanInput } from "./types.ts";

const micron = findDrive("micron-7450-max-3.2tb");

/** Price and rate of syncs are in no datasheet: where they come from is said by `planFields`. */
const drive: DriveInput = {
  name: `${micron.maker} ${micron.model}`,
  capacityBytes: micron.capacityBytes.value,
  writeBytesPerSecond: micron.writeBytesPerSecond.value,
  writeIops: micron.write4kIops.value,
  fsyncPerSecond: 20_000,
  driveWritesPerDay: micron.driveWritesPerDay?.value ?? 1,
  warrantyYears: micron.warrantyYears.value,
  priceUsd: 360,
};

/** The worked example of docs/planning.md: something to start from, not a recommendation. */
export const defaultPlanInput: StashPlanInput = {
  dataShards: 16,
  parityShards: 4,
  objects: [{ bytes: 256_000, share: 1 }],
  recordHeaderBytes: 96,
  recordAlignBytes: 64,
  uploadsPerSecond: 2000,
  peakFactor: 3,
  growthPerYear: 0,
  horizonYears: 0,
  residenceSecondsMean: 30,
  residenceSecondsP99: 120,
  outageSeconds: 3600,
  usableFraction: 0.95,
  maxFill: 0.7,
  maxUtilisation: 0.6,
  logWriteAmplification: 1.1,
  deviceWriteAmplificationRatio: 1,
  writesPerShard: 1,
  purgeWritesPerShard: 0.1,
  shardsPerCommit: 8,
  serviceYears: 5,
  drivesPerServer: 10,
  serverFailuresTolerated: 1,
  serverPriceUsd: 5000,
  vaultBytes: 10e15,
  hddPriceUsdPerTb: 16.25,
  ssdAnnualFailureRate: 0.0044,
  hddAnnualFailureRate: 0.0155,
  hddsPerPod: 1,
  outagesPerYear: 1,
  podFlushBytesPerSecond: null,
  drive,
  installed: null,
};
