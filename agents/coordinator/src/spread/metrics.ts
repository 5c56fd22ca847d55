import type { VaultSession } from "../session.ts";
import type { SpreadStatus } from "./status.ts";

/** Each vault's part is a metric of the coordinator in that vault. */
export function followSpread(sessions: readonly VaultSession[], status: () => SpreadStatus): void {
  for (const [at, { recorder }] of sessions.entries()) {
    const share = recorder.gauge("stashlight_new_keys_ratio", {});
    recorder.onRead(() => share.set(status().vaults[at]?.newKeysShare ?? null));
  }
}
