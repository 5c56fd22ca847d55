/** Newest figures of a watched machine's drives. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";

export interface HostDriveRow {
  readonly device: string;
  readonly tier: string;
  /** Null, like the other figures, if the drive does not report it. */
  readonly isHealthy: boolean | null;
  readonly capacityBytes: number | null;
  readonly busyRatio: number | null;
  readonly wearRatio: number | null;
  readonly badSectors: number | null;
  readonly uncorrectedErrors: number | null;
  readonly temperatureCelsius: number | null;
}

/** Begins with the size, because every drive reports it. */
export const hostDriveMetrics = [
  "stashlight_device_capacity_bytes",
  "stashlight_device_busy_ratio",
  "stashlight_device_healthy",
  "stashlight_device_wear_ratio",
  "stashlight_device_bad_sectors",
  "stashlight_device_uncorrected_errors",
  "stashlight_device_temperature_celsius",
] as const satisfies readonly MetricName[];

/** `answers` are in the order of `hostDriveMetrics`, grouped by tier and device. */
export function hostDriveRows(answers: readonly MetricAnswer[]): HostDriveRow[] {
  const [capacity, ...others] = answers.map(newestByDrive);
  return [...(capacity ?? [])].map(([key, { tier, device, value }]) => {
    const [busyRatio, healthy, wearRatio, badSectors, uncorrectedErrors, temperatureCelsius] = others.map(
      (told) => told.get(key)?.value ?? null,
    );
    return {
      device,
      tier,
      capacityBytes: value,
      busyRatio: busyRatio ?? null,
      isHealthy: healthy == null ? null : healthy >= 1,
      wearRatio: wearRatio ?? null,
      badSectors: badSectors ?? null,
      uncorrectedErrors: uncorrectedErrors ?? null,
      temperatureCelsius: temperatureCelsius ?? null,
    };
  });
}

interface Newest {
  readonly tier: string;
  readonly device: string;
  readonly value: number;
}

function newestByDrive({ series }: MetricAnswer): Map<string, Newest> {
  return new Map(
    series.flatMap(({ labels: { tier = "", device = "" }, columns }) => {
      const value = columns.kind === "gauge" ? columns.last.at(-1) : undefined;
      return value === undefined ? [] : [[`${tier} ${device}`, { tier, device, value }] as const];
    }),
  );
}
