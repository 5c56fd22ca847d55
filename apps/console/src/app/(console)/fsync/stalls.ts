/** Chooses which syncs to list as stalls, and the time range around a stall. */

import type { Stall } from "@stashlight/contracts/metrics/query";
import { slowFsyncSeconds } from "@stashlight/contracts/thresholds";
import type { TimeRange } from "@stashlight/contracts/time";
import { deviceHref } from "../device-href.ts";

export type DriveTier = "stash" | "pod";

/**
 * The defaults equal the thresholds of the rules "fsync slow on SSD" and "fsync slow on HDD", so that the list agrees
 * with alerts.
 */
export const stallThresholds: Readonly<
  Record<DriveTier, { choicesMs: readonly number[]; defaultMs: number }>
> = {
  stash: { choicesMs: [10, 20, 50, 100, 200, 500, 1_000], defaultMs: slowFsyncSeconds.stash * 1_000 },
  pod: { choicesMs: [100, 200, 500, 1_000, 2_000, 5_000, 10_000], defaultMs: slowFsyncSeconds.pod * 1_000 },
};

export const formatThreshold = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

const AROUND_MS_MIN = 150_000;
const AROUND_WINDOWS = 10;

/** Range around a stall that also shows the drive's usual behaviour. */
export function rangeAround({ startMs, endMs }: Pick<Stall, "startMs" | "endMs">): TimeRange {
  const aroundMs = Math.max(AROUND_MS_MIN, AROUND_WINDOWS * (endMs - startMs));
  return { fromMs: startMs - aroundMs, toMs: endMs + aroundMs };
}

/** Caveats about values that were not measured on a real drive. */
export function formatOrigin({
  modelled,
  isSimulated,
}: Pick<Stall, "modelled" | "isSimulated">): string | null {
  const words = [
    ...(modelled === null ? [] : [`modelled as ${modelled}`]),
    ...(isSimulated ? ["simulated"] : []),
  ];
  return words.length === 0 ? null : words.join(", ");
}

/** Link to the drive's page at the time of the stall. */
export function stallHref({ node, device, ...window }: Stall): string {
  const { fromMs, toMs } = rangeAround(window);
  const time = new URLSearchParams({
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
  });
  return deviceHref(`?${time}`, node, device);
}
