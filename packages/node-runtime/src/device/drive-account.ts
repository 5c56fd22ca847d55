/** Records what a drive reports about itself and its health, or the reason why it reports nothing. */
import type { SmartSilence } from "@stashlight/contracts/metrics";
import type { Recorder, Tier } from "@stashlight/telemetry";
import type { DriveIdentity } from "./identity.ts";
import { type DriveHealth, unknownHealth } from "./smart.ts";
import { enduranceBytes, writeAmplification } from "./smart-writes.ts";

/** Identity and health of a drive as it reports them. */
export interface DriveAccount {
  readonly identity: DriveIdentity;
  readonly health: DriveHealth;
  /** Null while the drive reports its health, and before the first query. */
  readonly silence: SmartSilence | null;
}

interface DriveLabels {
  readonly tier: Tier;
  readonly device: string;
  readonly modelled?: string | undefined;
}

/** Sets the gauges at each call; a series that no longer applies ends. */
export function recordAccount(
  recorder: Recorder,
  labels: DriveLabels,
): (account: DriveAccount | null) => void {
  let clear = (): void => {};
  /** Metrics that the drive has reported; the others have no series. */
  const told = new Set<string>();
  const set = (metric: HealthMetric, value: number | null): void => {
    if (value === null && !told.has(metric)) return;
    told.add(metric);
    recorder.gauge(metric, labels).set(value);
  };
  let shown = "";
  return (account) => {
    const { isHealthy, wearRatio, spareRatio, badSectors, uncorrectedErrors, temperatureCelsius, written } =
      account?.health ?? unknownHealth;
    set("stashlight_device_healthy", isHealthy === null ? null : Number(isHealthy));
    set("stashlight_device_wear_ratio", wearRatio);
    set("stashlight_device_spare_ratio", spareRatio);
    set("stashlight_device_bad_sectors", badSectors);
    set("stashlight_device_uncorrected_errors", uncorrectedErrors);
    set("stashlight_device_temperature_celsius", temperatureCelsius);
    set("stashlight_device_host_written_bytes", written.host);
    set("stashlight_device_endurance_bytes", enduranceBytes(written.host, wearRatio));
    set("stashlight_device_write_amplification", writeAmplification(written));
    const next = JSON.stringify([account?.identity, account?.silence, account?.health.wearSource]);
    if (next === shown) return;
    shown = next;
    clear();
    clear = setInfo(recorder, labels, account);
  };
}

type HealthMetric =
  | "stashlight_device_healthy"
  | "stashlight_device_wear_ratio"
  | "stashlight_device_spare_ratio"
  | "stashlight_device_bad_sectors"
  | "stashlight_device_uncorrected_errors"
  | "stashlight_device_temperature_celsius"
  | "stashlight_device_host_written_bytes"
  | "stashlight_device_endurance_bytes"
  | "stashlight_device_write_amplification";

/** Sets the info series, and returns a function that ends it. */
function setInfo(recorder: Recorder, labels: DriveLabels, account: DriveAccount | null): () => void {
  if (account === null) return () => {};
  const { identity, silence, health } = account;
  const { model, serial, firmware } = identity;
  const gauges = [
    ...(model === null && serial === null && firmware === null
      ? []
      : [
          recorder.gauge("stashlight_device_info", {
            ...labels,
            model: model ?? "",
            serial: serial ?? "",
            firmware: firmware ?? "",
          }),
        ]),
    ...(health.wearSource === null
      ? []
      : [recorder.gauge("stashlight_device_wear_source_info", { ...labels, source: health.wearSource })]),
    ...(silence === null
      ? []
      : [recorder.gauge("stashlight_device_smart_silent_info", { ...labels, silence })]),
  ];
  for (const gauge of gauges) gauge.set(1);
  return () => {
    for (const gauge of gauges) gauge.set(null);
  };
}
