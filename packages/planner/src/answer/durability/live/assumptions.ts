/** Assumptions behind a live durability: no agent measures these. */
import { DAY_SECONDS } from "@stashlight/contracts/time/duration";
import { annualFailureRates } from "@stashlight/devices";
import { durabilityRows } from "../../../sizing/rows/durability.ts";

export const liveAssumptions = {
  commonCauseShare: durabilityRows.commonCauseShare.default,
  commonCauseDrives: durabilityRows.commonCauseDrives.default,
  /** Failures a drive-year of all drives that a large operator publishes. */
  failureRate: annualFailureRates.hdd.value,
  failureRateSource: annualFailureRates.hdd.source,
  /**
   * The published rate counts like two failures: its 95 % interval is then 0.19 to 4.3 %, which is the spread of models
   * in those reports. A fleet's own failures outweigh it soon.
   */
  priorFailures: 2,
  /** Pinheiro, Weber and Barroso, FAST 2007: drives fail 39 times as often in the 60 days after their first scan error. */
  suspectTimes: 39,
  rebuildRate: durabilityRows.rebuildBytesPerSecond.default,
  rebuildStartSeconds: durabilityRows.rebuildStartSeconds.default,
  sectorErrorsPerByteYear: durabilityRows.sectorErrorsPerByteYear.default,
  scrubSeconds: 30 * DAY_SECONDS,
  powerCutsPerYear: durabilityRows.powerCutsPerYear.default,
  ssdLostInCut: durabilityRows.ssdLostInCut.default,
} as const;

/** A measured rate that is older may be of other drives or of another load. */
export const STALE_RATE_SECONDS = 28 * DAY_SECONDS;

/** With fewer measured rates a spread is chance. */
export const RATES_MIN = 5;
