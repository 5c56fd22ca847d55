/** Service times of a scenario's drives, from the catalogue, configured figures or measured syncs. */
import { catalogueModel, customDevice, type ServiceModel } from "@stashlight/devices";
import type { Quantile, ScenarioDrive } from "./options.ts";

export interface DriveTimes {
  /** Duration of one fdatasync of this many bytes. `draw` is uniform in [0, 1). */
  syncUs(bytes: number, draw: number): number;
  /** Part of a sync during which the next one has to wait. */
  occupancyUs(bytes: number, syncUs: number): number;
  readUs(bytes: number, draw: number): number;
  /** Maximum throughput for sequential bytes; null if only syncs were measured. */
  readonly bytesPerSecond: number | null;
}

export function driveTimes(drive: ScenarioDrive): DriveTimes {
  switch (drive.type) {
    case "catalogue":
      return modelTimes(catalogueModel(drive.driveId));
    case "custom":
      return modelTimes(customDevice(drive.figures));
    case "measured": {
      const { syncUs } = drive;
      return {
        syncUs: (_bytes, draw) => valueAt(syncUs, draw),
        occupancyUs: (_bytes, us) => us,
        readUs: (_bytes, draw) => valueAt(syncUs, draw),
        bytesPerSecond: null,
      };
    }
  }
}

const RATE_PROBE_BYTES = 1e9;

function modelTimes(model: ServiceModel): DriveTimes {
  const syncUs = (bytes: number, draw: number) => model.serviceTimeUs("sync", bytes, 0, null, draw);
  const transferUs = syncUs(RATE_PROBE_BYTES, 0.5) - syncUs(1, 0.5);
  return {
    syncUs,
    occupancyUs: (bytes, us) => model.occupancyUs("sync", bytes, us),
    readUs: (bytes, draw) => model.serviceTimeUs("read", bytes, 0, null, draw),
    bytesPerSecond: (RATE_PROBE_BYTES / transferUs) * 1e6,
  };
}

/** Interpolates linearly between two quantiles; uses the first or the last one outside their range. */
export function valueAt(quantiles: readonly Quantile[], share: number): number {
  let low = 0;
  let high = quantiles.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((quantiles[middle] as Quantile)[0] < share) low = middle + 1;
    else high = middle;
  }
  const above = quantiles[low];
  if (above === undefined) throw new RangeError("A measured distribution has at least one quantile.");
  const below = quantiles[low - 1];
  if (below === undefined || above[0] <= share || above[0] === below[0]) return above[1];
  return below[1] + ((above[1] - below[1]) * (share - below[0])) / (above[0] - below[0]);
}
