/** Assumptions behind a live durability, which no agent measures. */
import { DAY_SECONDS } from "@stashlight/contracts/time";
import { durabilityRows } from "../../../sizing/rows/durability.ts";

export const liveAssumptions = {
  commonCauseShare: durabilityRows.commonCauseShare.default,
  commonCauseDrives: durabilityRows.commonCauseDrives.default,
  /**
   * Pinheiro, Weber and Barroso, FAST 2007: drives fail 39 times as often in the 60 days after their first scan error.
   */
  suspectTimes: 39,
  rebuildRate: durabilityRows.rebuildBytesPerSecond.default,
  rebuildStartSeconds: durabilityRows.rebuildStartSeconds.default,
  sectorErrorsPerByteYear: durabilityRows.sectorErrorsPerByteYear.default,
  scrubSeconds: 30 * DAY_SECONDS,
  powerCutsPerYear: durabilityRows.powerCutsPerYear.default,
  ssdLostInCut: durabilityRows.ssdLostInCut.default,
} as const;

/** Age beyond which a measured rate may belong to other drives or another load. */
export const STALE_RATE_SECONDS = 28 * DAY_SECONDS;

/** Minimum number of measured rates for an interval, because the spread of fewer is random. */
export const RATES_MIN = 5;
