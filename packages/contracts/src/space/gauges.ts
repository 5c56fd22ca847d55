/**
 * Gauges of taken and total space or endurance, by subject. Each coordinator of a vault reports the vault's, so the largest of
 * several counts, and never their sum; a drive reports its own.
 */
import type { MetricName } from "../metrics/catalogue.ts";

interface SpaceGauges {
  readonly taken: MetricName;
  readonly capacity: MetricName;
}

export const vaultSpace = {
  taken: "stashlight_vault_taken_bytes",
  capacity: "stashlight_vault_capacity_bytes",
} as const satisfies SpaceGauges;

/** Space on a pod's drives, including parity. */
export const podSpace = {
  taken: "stashlight_pod_taken_bytes",
  capacity: "stashlight_pod_usable_bytes",
} as const satisfies SpaceGauges;

/** Unpurged shards on the stash; garbage is left out, because it is recycled or compacted when space is short. */
export const stashSpace = {
  taken: "stashlight_stash_live_bytes",
  capacity: "stashlight_stash_capacity_bytes",
} as const satisfies SpaceGauges;

/** Bytes that hosts wrote to an SSD, compared with its rated endurance. */
export const wearSpace = {
  taken: "stashlight_device_host_written_bytes",
  capacity: "stashlight_device_endurance_bytes",
} as const satisfies SpaceGauges;
