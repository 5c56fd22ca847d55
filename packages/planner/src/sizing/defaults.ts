import { annualFailureRates, findDrive } from "@stashlight/devices";
import type { DriveInput, StashPlanInput } from "./types.ts";

const micron = findDrive("micron-7450-max-3.2tb");
const exos = findDrive("seagate-exos-x16-16tb");

/** What a saved plan that is older than these inputs is read with. */
export const catalogueDefaults = {
  hddPriceUsdPerTb: exos.priceUsd.value / (exos.capacityBytes.value / 1e12),
  ssdAnnualFailureRate: annualFailureRates.ssd.value,
  hddAnnualFailureRate: annualFailureRates.hdd.value,
} as const;

/** The rate of syncs is in no datasheet: `planFields` says where it comes from. */
const drive: DriveInput = {
  name: `${micron.maker} ${micron.model}`,
  capacityBytes: micron.capacityBytes.value,
  writeBytesPerSecond: micron.writeBytesPerSecond.value,
  writeIops: micron.write4kIops.value,
  fsyncPerSecond: 20_000,
  driveWritesPerDay: micron.driveWritesPerDay?.value ?? 1,
  warrantyYears: micron.warrantyYears.value,
  priceUsd: micron.priceUsd.value,
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
  ...catalogueDefaults,
  hddsPerPod: 1,
  outagesPerYear: 1,
  podFlushBytesPerSecond: null,
  drive,
  installed: null,
};
