/** Remaining validity of a node's certificates, and their issuers. */
import type { GaugeHandle, Recorder } from "@stashlight/telemetry";
import type { NodeCredentials } from "../credentials/credentials.ts";

export function followCertificates(
  recorder: Recorder,
  credentials: Pick<NodeCredentials, "certificates">,
  nowMs: () => number,
): void {
  const shown = new Map<string, GaugeHandle>();
  recorder.onRead(() => {
    // A certificate of another issuer starts another series, and ends the previous one.
    for (const gauge of shown.values()) gauge.set(null);
    for (const { certificate, issuer, validUntilMs } of credentials.certificates) {
      const labels = { certificate, issuer };
      const gauge = recorder.gauge("stashlight_certificate_remaining_seconds", labels);
      shown.set(`${certificate} ${issuer}`, gauge);
      gauge.set((validUntilMs - nowMs()) / 1000);
    }
  });
}
