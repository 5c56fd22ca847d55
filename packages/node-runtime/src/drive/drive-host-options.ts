/** Options of the host of a drive, and the events that it reports. */
import type { PageMemory } from "@stashlight/paged-memory";
import type { Address, SavedPod } from "@stashlight/write-path";
import type { DriveConfig, VaultFile } from "../config/index.ts";
import type { Switchboard } from "../host/message-router.ts";
import type { DamageObservation } from "./drive-damage.ts";
import type { DriveMachine, DriveWatch } from "./drive-machine.ts";
import type { HeapIndexMemory } from "./heap-index-memory.ts";
import type { StopObservation } from "./index-of-stop.ts";
import type { IndexPagesOptions } from "./index-pages.ts";
import type { DiskMeter } from "./metered-disk.ts";
import type { OpenDriveOptions } from "./open-drive.ts";
import type { ScrubDisk } from "./scrub-disk.ts";

export interface DriveHostOptions {
  readonly file: VaultFile;
  /** The drive at the start; another one may replace it. */
  readonly drive: DriveConfig;
  readonly address: Address;
  /** Folder for the node's state of this drive's machine. */
  readonly stateFolder: string;
  readonly policy: "ring" | "extents";
  readonly mayFormat: boolean;
  /** True for a stash device that gets no new shards. */
  readonly isDraining: () => boolean;
  readonly switchboard: Switchboard;
  readonly meter?: DiskMeter;
  readonly watch?: DriveWatch;
  /** Begins a boot; rejects if its id cannot be made durable. */
  readonly boot: (
    drive: DriveConfig,
    memory: PageMemory | null,
    saved: SavedPod | null,
  ) => Promise<DriveMachine>;
  readonly observe: (event: DriveObservation) => void;
  readonly wrapDisk?: OpenDriveOptions["wrapDisk"];
  /** The disk under the folder of a drive, which its scrub shares with others; null while it is not known. */
  readonly scrubDiskAt: (path: string) => ScrubDisk | null;
  /** Bounds the records of a pod; absent for a stash device, whose ring bounds its records. */
  readonly indexMemory?: HeapIndexMemory;
  /** Limits the memory of a pod's index; absent for a stash device. */
  readonly indexPages?: IndexPagesOptions;
}

export type DriveObservation =
  | {
      readonly type: "opened";
      readonly shardCount: number;
      readonly damageCount: number;
      /** Number of live records known to fail their checksum. */
      readonly corruptCount: number;
      readonly durationMs: number;
      /** True if the pod continued with an index that was saved. */
      readonly isIndexResumed: boolean;
      /** Reason why the index was built from the log instead; null if it was not, and for a stash device. */
      readonly scanReason: string | null;
    }
  | StopObservation
  /** A checkpoint failed for a new reason; it is retried. */
  | { readonly type: "indexNotCheckpointed"; readonly reason: string }
  | { readonly type: "failed"; readonly reason: string; readonly retryAfterMs: number }
  | DamageObservation
  | { readonly type: "toleratesUnreadablePages"; readonly unreadablePagesMax: number }
  /** The drive can be read but accepts no writes, and has to be replaced. */
  | { readonly type: "reserveLost" }
  | { readonly type: "scrubNotSaved"; readonly reason: string }
  /** The file of the index takes no pages, so that they stay in memory. */
  | { readonly type: "indexStays"; readonly reason: string };
