import { metricLabelValues } from "@stashlight/contracts/metrics";
import type { Recorder } from "@stashlight/telemetry";
import type { VaultSession } from "../session.ts";
import type { SpreadStatus } from "./status.ts";

/** Records each vault's figures in its own session's metrics. The endpoint is named after the first vault. */
export function followSpread(sessions: readonly VaultSession[], status: () => SpreadStatus): void {
  const endpoint = sessions[0]?.file.name ?? "";
  for (const [at, { recorder }] of sessions.entries()) followVault(recorder, endpoint, at, status);
}

function followVault(recorder: Recorder, endpoint: string, at: number, status: () => SpreadStatus): void {
  const share = recorder.gauge("stashlight_new_keys_ratio", {});
  const free = recorder.gauge("stashlight_endpoint_free_bytes", { endpoint });
  const capacity = recorder.gauge("stashlight_endpoint_capacity_bytes", { endpoint });
  const epoch = recorder.gauge("stashlight_endpoint_epoch", { endpoint });
  const epochs = recorder.gauge("stashlight_endpoint_epochs_ratio", { endpoint });
  const states = metricLabelValues.state.map((state) => ({
    state,
    gauge: recorder.gauge("stashlight_endpoint_vault_info", { endpoint, state }),
  }));
  recorder.onRead(() => {
    const { vaults, epochCount, epochsShare } = status();
    const vault = vaults[at];
    const isKnown = vault !== undefined && vault.state !== null;
    share.set(isKnown ? vault.newKeysShare : null);
    free.set(vault?.isReachable ? vault.freeBytes : null);
    capacity.set(vault?.capacityBytes ?? null);
    epoch.set(isKnown ? epochCount : null);
    epochs.set(isKnown ? epochsShare : null);
    for (const { state, gauge } of states) gauge.set(state === vault?.state ? 1 : null);
  });
}
