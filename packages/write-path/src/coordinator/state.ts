import type { PutRequest, Shortage } from "../effects.ts";
import type { ListPage } from "../list-digest.ts";
import {
  type Address,
  type AppendRefusal,
  type Condition,
  FREE_BYTES_UNKNOWN,
  type MissingReason,
  type PodFreeSpace,
  type PodProbeAnswer,
  type RefusalWish,
  type VersionView,
} from "../messages/index.ts";
import type { StashPlacement, VaultConfig } from "../placement.ts";
import { type Quorums, quorumsOf } from "../quorums.ts";
import type { Shard, UploadHeader, UploadId } from "../shard.ts";
import {
  createClock,
  type HybridClock,
  higherOf,
  LOWEST_ORDER,
  lowestOf,
  type VersionOrder,
} from "../version-order.ts";

export interface CoordinatorOptions {
  /** 32 random bits that no other boot of any coordinator has; the shell draws them. */
  readonly bootId: number;
  readonly config: VaultConfig;
  /** Larger bodies take the direct path. */
  readonly smallUploadBytesMax: number;
  /** If false, every upload takes the direct path, for comparison. */
  readonly isStashEnabled: boolean;
  /**
   * Must exceed every request id that this coordinator used before its restart, or a late answer to an earlier boot
   * would be taken for one to this boot; the shell uses the wall clock in microseconds.
   */
  readonly firstRequestId: number;
}

export const SMALL_UPLOAD_BYTES_MAX = 1_048_576;

/** A coordinator's view of a pod. If the pod has restarted since, it merely refuses requests. */
export interface PodBelief {
  bootId: number;
  isSettled: boolean;
  /** Time of the pod's latest message. */
  heardMs: number;
  /** Everything below this order is final on the pod, and stays final. */
  finalBelow: VersionOrder;
  room: PodFreeSpace;
  /** `CoordinatorState.sentBytes` when the pod reported its free space. */
  sentBytesAtReport: number;
}

/** The coordinator's view of a stash device; choose-stash-devices.ts defines when a device rests and how its rest ends. */
export interface DeviceBelief {
  /** Null while the device receives its share of every upload. */
  rest: DeviceRest | null;
}

export interface DeviceRest {
  nextTrialMs: number;
  /** The upload whose shard is the trial; null before the first trial. */
  trialUploadId: UploadId | null;
}

/**
 * An upload's life at its coordinator:
 *
 *     voting (conditional) -- q written --> stash
 *     stash ---- q written and q durable ----> stored
 *       |  '--> confirming --'                   ^
 *       '-- stash too slow, full or down --> direct
 *     any of them -- q out of reach, or the deadline --> ending --> answered as the outcome of resolve-outcome.ts
 */
export interface Put {
  readonly token: number;
  readonly condition: Condition;
  readonly upload: UploadHeader;
  /** The bytes to send, by shard; null once none will be sent, so that the body does not outlive its answer. */
  bytes: Pick<PutRequest, "payloads" | "payloadCrcs"> | null;
  readonly placement: StashPlacement;
  phase: "voting" | "stash" | "direct" | "stored" | "ending";
  readonly startedMs: number;
  /** End of the wait for pods. */
  deadlineMs: number;
  /**
   * True once pods were notified that the upload is committed. The second notification ends the put, even if the clock
   * was set back.
   */
  isNoted: boolean;
  readonly pods: ("pending" | "written" | "durable" | AppendRefusal)[];
  /** Boot id of each pod to which the upload was sent. */
  readonly bootIds: number[];
  readonly stash: ("none" | "pending" | "durable" | "failed")[];
  /** Pods asked to confirm, and their confirmations. */
  readonly confirmations: Map<number, boolean>;
}

export interface Read {
  readonly token: number;
  readonly bucket: string;
  readonly key: string;
  readonly headOnly: boolean;
  readonly deadlineMs: number;
  /** Time to wait before other nodes are asked. */
  hedgeAfterMs: number;
  phase: "finding" | "resolving" | "loading";
  requestId: number;
  readonly found: Map<number, { isSettled: boolean; versions: readonly VersionView[] }>;
  readonly stashFound: Map<number, readonly UploadHeader[]>;
  readonly dead: Set<UploadId>;
  chosen: UploadHeader | null;
  /** Shards of any upload that arrived with pods' answers about the key. */
  readonly early: Shard[];
  /** Pods that were asked to send their shards along. */
  readonly eager: Set<number>;
  readonly shards: Map<number, Shard>;
  readonly asked: Set<Address>;
  readonly answered: Set<Address>;
  /** Reasons why nodes did not send their shards; null if they hold none. */
  readonly missingReasons: Map<Address, MissingReason | null>;
  /** The upload for which all nodes together had fewer than k shards when they were last asked. */
  shortUploadId: UploadId | null;
}

/** An object that cannot be read (lost.ts). */
export interface LostObject {
  readonly shortage: Shortage;
  /** Times when this coordinator first and last found it unreadable. */
  readonly sinceMs: number;
  readonly seenMs: number;
}

export interface Listing {
  readonly token: number;
  readonly bucket: string;
  readonly prefix: string;
  readonly after: string;
  readonly keyCountMax: number;
  readonly delimiter: string;
  readonly deadlineMs: number;
  readonly requestId: number;
  readonly listed: Map<number, { readonly page: ListPage; readonly isSettled: boolean }>;
  /** Digests of other pods' pages, until a page arrives that they may match. */
  readonly alike: Map<number, { digest: number; isSettled: boolean }>;
  readonly stashListed: Map<number, ListPage>;
  /** Known outcomes of versions that no pod called committed; null until known. */
  readonly ends: Map<UploadId, UploadEnd | null>;
}

/** A pod's answer to a resolution. */
interface ProbedPod {
  answer: PodProbeAnswer;
  isSettled: boolean;
  bootId: number;
  /** The pod knows that the upload is committed. */
  isCommitted: boolean;
}

export interface Resolution {
  readonly upload: UploadHeader;
  /**
   *     probing --> live --> done
   *        |--> pushing --'
   *        '--> refusing --> burying --> dead
   */
  phase: "probing" | "pushing" | "refusing" | "burying" | "live";
  requestId: number;
  readonly startedMs: number;
  readonly pods: Map<number, ProbedPod>;
  isCommitted: boolean;
  /** True once pods have been notified that the upload is committed. */
  isNoted: boolean;
  /** True once the stash has been counted, and pods are being counted after it. */
  isRecounting: boolean;
  readonly stash: Map<number, readonly number[]>;
  /** Shards that stash devices keep but cannot return. */
  readonly damagedOnStash: Set<number>;
  /** Shards gathered to rebuild the missing ones. */
  readonly shards: Map<number, Shard>;
  isRebuilding: boolean;
  /** True once all holders were asked, because too few shards arrived in `shards`. */
  hasAskedForShards: boolean;
  /** Number of shards that had arrived when the timer last fired. */
  shardCountAtTimer: number;
  /** True once pods that hold the tombstone have been notified again that it is committed, and asked to confirm. */
  isConfirming: boolean;
  /**
   * Pods that receive a request for a promise with the probe. An upload that its author abandoned is declared dead if
   * both outcomes are possible.
   */
  refuse: RefusalWish;
  /** Highest committed order of the key that any pod reported. */
  supersededBy: VersionOrder;
  readonly waiters: ResolutionWaiter[];
  /** Pods without space for their shard. */
  readonly fullPods: Set<number>;
}

export type ResolutionWaiter =
  | { readonly type: "put"; readonly uploadId: UploadId }
  | { readonly type: "read"; readonly readId: number }
  | { readonly type: "list"; readonly listId: number };

/** `superseded`: the upload is below a committed version; it may or may not have been shown. */
export type UploadEnd = "live" | "dead" | "superseded" | "unknown";

/** Reasons why an answer, or a shard of one, was not counted. */
export type CoordinatorRefusal =
  | "message of a stranger"
  | "answer from outside the vault"
  | "answer of another device"
  | "shard of another upload";

export interface CoordinatorState {
  config: VaultConfig;
  readonly quorums: Quorums;
  readonly smallUploadBytesMax: number;
  readonly isStashEnabled: boolean;
  readonly clock: HybridClock;
  readonly pods: PodBelief[];
  /** Bytes of uploads sent to each pod since the process started (free-space.ts). */
  sentBytes: number;
  /** Highest floor that any pod has received, possibly from a coordinator that no longer exists. */
  floor: VersionOrder;
  readonly devices: Map<number, DeviceBelief>;
  readonly puts: Map<UploadId, Put>;
  readonly reads: Map<number, Read>;
  readonly listings: Map<number, Listing>;
  readonly resolutions: Map<UploadId, Resolution>;
  /** Objects that could not be read when they were last requested (lost.ts). */
  readonly lost: Map<UploadId, LostObject>;
  /** Maps a probe's or a load's request id to its upload. */
  readonly resolutionByRequest: Map<number, UploadId>;
  readonly readByRequest: Map<number, number>;
  /** Outcomes that the current event revealed, for their waiters. */
  readonly ended: {
    readonly waiter: ResolutionWaiter;
    readonly uploadId: UploadId;
    readonly end: UploadEnd;
  }[];
  readonly refusals: Map<CoordinatorRefusal, number>;
  nextId: number;
}

export function createCoordinator(options: CoordinatorOptions): CoordinatorState {
  const { bootId, config, smallUploadBytesMax, isStashEnabled, firstRequestId } = options;
  const quorums = quorumsOf(config.scheme);
  if (config.podDriveIds.length !== quorums.shardCount) {
    throw new RangeError(
      `A vault of ${quorums.shardCount} shards has as many pods, not ${config.podDriveIds.length}.`,
    );
  }
  return {
    config,
    quorums,
    smallUploadBytesMax,
    isStashEnabled,
    clock: createClock(bootId),
    pods: config.podDriveIds.map(() => ({
      bootId: 0,
      isSettled: false,
      heardMs: Number.NEGATIVE_INFINITY,
      finalBelow: LOWEST_ORDER,
      // A pod counts as full only after it has reported so.
      room: { freeBytes: FREE_BYTES_UNKNOWN, isShort: false },
      sentBytesAtReport: 0,
    })),
    sentBytes: 0,
    floor: LOWEST_ORDER,
    devices: new Map(config.stashDevices.map(({ deviceId }) => [deviceId, { rest: null }])),
    puts: new Map(),
    reads: new Map(),
    listings: new Map(),
    resolutions: new Map(),
    lost: new Map(),
    resolutionByRequest: new Map(),
    readByRequest: new Map(),
    ended: [],
    refusals: new Map(),
    nextId: firstRequestId,
  };
}

/** Everything below the floor is final on all n pods (pod/horizon.ts). */
export function floorOf({ pods, floor }: CoordinatorState): VersionOrder {
  const [first = LOWEST_ORDER, ...others] = pods.map(({ finalBelow }) => finalBelow);
  return higherOf(floor, lowestOf(first, others));
}

export function countRefusal(state: CoordinatorState, reason: CoordinatorRefusal): void {
  state.refusals.set(reason, (state.refusals.get(reason) ?? 0) + 1);
}

/** Returns the shards of this upload. Shards of two uploads of one key must never be mixed. */
export function shardsOf(
  state: CoordinatorState,
  { uploadId }: UploadHeader,
  shards: readonly Shard[],
): Shard[] {
  return shards.filter((shard) => {
    const isOfUpload = shard.upload.uploadId === uploadId;
    if (!isOfUpload) countRefusal(state, "shard of another upload");
    return isOfUpload;
  });
}

/**
 * Returns true if these answers include every version that was ever acknowledged or shown. The answers of m + 1 settled
 * pods suffice. While pods are not settled, as after a power cut, the answers of m + 1 pods that have read their logs
 * suffice together with those of the stash, of which at most m - 1 devices may be silent (pod/settle.ts has the
 * counting).
 */
export function isDiscovered(
  state: CoordinatorState,
  pods: Iterable<{ isSettled: boolean }>,
  stashAnswerCount: number,
): boolean {
  const answers = [...pods];
  const { discover, refuse } = state.quorums;
  if (answers.filter((answer) => answer.isSettled).length >= discover) return true;
  return answers.length >= discover && state.devices.size - stashAnswerCount <= refuse - 2;
}
