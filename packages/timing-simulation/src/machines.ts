/** The machines of a scenario's vault, and the number of each kind. */
import type {
  PodEffect,
  PodEvent,
  PodState,
  StashEffect,
  StashEvent,
  StashState,
  VaultConfig,
} from "@stashlight/write-path";
import type { LeanDrive, LeanRecord } from "./lean-drive.ts";
import type { LeanNode } from "./lean-node.ts";
import { type ScenarioOptions, scenarioShardCount } from "./options.ts";

export interface VaultPod {
  readonly podIndex: number;
  readonly node: LeanNode<PodEvent<LeanRecord>, PodEffect<LeanRecord>>;
  readonly drive: LeanDrive;
  state: PodState<LeanRecord> | null;
}

export interface VaultStash {
  readonly deviceId: number;
  state: StashState<LeanRecord> | null;
  readonly node: LeanNode<StashEvent<LeanRecord>, StashEffect<LeanRecord>>;
  readonly drive: LeanDrive;
  liveBytes: number;
  isFull: boolean;
}

export function scenarioConfig(options: ScenarioOptions): VaultConfig {
  return {
    epoch: 1,
    scheme: options.scheme,
    podDriveIds: Array.from({ length: scenarioShardCount(options) }, (_, podIndex) => `drive-${podIndex}`),
    stashDevices: Array.from({ length: options.stashServers * options.drivesPerServer }, (_, deviceId) => {
      return { deviceId, serverId: Math.floor(deviceId / options.drivesPerServer) };
    }),
    coordinatorCount: 1,
  };
}
