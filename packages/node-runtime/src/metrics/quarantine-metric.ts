/** Time for which a stash device has been in quarantine, with the operator: a series for each operator. */
import type { GaugeHandle, Recorder } from "@stashlight/telemetry";
import type { DriveHost } from "../drive/drive-host.ts";

interface DeviceLabels {
  readonly stash: string;
  readonly device: string;
  readonly modelled: string | undefined;
}

export function quarantineMetric(
  recorder: Recorder,
  labels: DeviceLabels,
  wallMs: () => number,
): (host: Pick<DriveHost, "quarantine">) => void {
  let shown: GaugeHandle | null = null;
  return (host) => {
    const quarantine = host.quarantine();
    shown?.set(null);
    if (quarantine === null) return;
    shown = recorder.gauge("stashlight_stash_quarantine_seconds", { ...labels, operator: quarantine.by });
    shown.set(Math.max(0, wallMs() - quarantine.sinceMs) / 1000);
  };
}
