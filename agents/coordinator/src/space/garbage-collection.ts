/**
 * Frees the space of deleted, replaced and abandoned large objects. A small object is one upload, whose space the pods
 * free themselves. A large object is a list of pieces, and only coordinators know whether a piece is still needed.
 *
 *   reclaiming-vault.ts queues the pieces that a write or deletion replaces
 *   writing.ts queues the pieces of bodies whose upload failed
 *   collector.ts deletes queued pieces after a grace, unless something refers to them or a request holds them
 *   large-object-holds.ts registers the readers and writers of this coordinator, and stores its lease
 *   lease-book.ts reads the leases of the other coordinators
 *   sweep.ts searches all pieces for garbage that no collector has queued
 *   timing.ts defines all times, and argues why nothing that is needed is collected
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ObjectName } from "@stashlight/s3";
import type { UploadHeader } from "@stashlight/write-path";
import type { PieceList } from "../records/pieces.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { Collector } from "./collector.ts";
import { LargeNames } from "./large-names.ts";
import { Holds } from "./large-object-holds.ts";
import { LeaseBook } from "./lease-book.ts";
import { reclaimingVault } from "./reclaiming-vault.ts";
import { Sweep } from "./sweep.ts";
import type { SpaceTiming } from "./timing.ts";
import { type BeginBody, type NewBodyId, writing } from "./writing.ts";

export interface SpaceOptions {
  readonly vault: VaultVerbs;
  readonly timing: SpaceTiming;
  readonly nowMs: () => number;
  readonly isBusy: () => boolean;
  /** Id for a new body, which determines the vault of its pieces; random by default. */
  readonly newBodyId?: NewBodyId;
  readonly onFailure: (error: unknown) => void;
}

/** Interface through which the store reads and writes large objects. */
export interface Space {
  /** The store must use this for all its writes and reads. */
  readonly vault: VaultVerbs;
  /** Runs a request that stores bodies and, at its end, the list that names them. */
  writing<Result>(work: (beginBody: BeginBody) => Promise<Result>): Promise<Result>;
  /** Passes on the chunks of this version, and keeps its pieces until they have been read or abandoned. */
  reading(version: UploadHeader, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Runs the completion of a multipart upload, and keeps its parts until then. */
  completing<Result>(
    upload: ObjectName & { readonly uploadId: string },
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Queues bodies to which nothing should still refer. */
  giveBack(lists: readonly PieceList[]): void;
}

export interface SpaceParts {
  readonly space: Space;
  readonly holds: Holds;
  readonly collector: Collector;
  readonly sweep: Sweep;
}

export function createSpace({
  vault,
  timing,
  nowMs,
  isBusy,
  newBodyId,
  onFailure,
}: SpaceOptions): SpaceParts {
  const largeNames = new LargeNames();
  const holds = new Holds({ vault, timing, nowMs });
  const leases = new LeaseBook({ vault, timing, nowMs, ownKey: holds.leaseKey });
  const collector = new Collector({ vault, holds, leases, timing, nowMs, isBusy, onFailure });
  const sweep = new Sweep({ vault, collector, holds, leases, largeNames, timing, nowMs });
  const space: Space = {
    vault: reclaimingVault({ vault, collector, holds, largeNames }),
    writing: (work) => writing({ holds, collector, newBodyId }, work),
    reading: async function* (version, chunks) {
      const hold = holds.hold(version, { kind: "read", id: version.uploadId });
      try {
        yield* chunks;
      } finally {
        hold.release();
      }
    },
    completing: async (upload, work) => {
      const hold = holds.hold(upload, { kind: "completion", id: upload.uploadId });
      try {
        return await work();
      } finally {
        hold.release();
      }
    },
    giveBack: (lists) => collector.add(lists),
  };
  return { space, holds, collector, sweep };
}

export interface RunningSpace {
  /** Deletes the lease, and starts no more work. */
  stop(): Promise<void>;
}

/**
 * Limited because a vault that does not answer must not keep a coordinator from stopping; a lease left behind is soon
 * stale.
 */
const STOP_WITHIN_MS = 2000;

export function runSpace(
  { holds, collector, sweep }: SpaceParts,
  { timing, onFailure }: Pick<SpaceOptions, "timing" | "onFailure">,
): RunningSpace {
  let isStopped = false;
  const lease = setInterval(() => holds.refresh(), timing.turnEveryMs);
  const turn = async (): Promise<void> => {
    let hasMore = !isStopped;
    while (hasMore && !isStopped) {
      hasMore = await collector.turn();
      await sweep.step().catch(onFailure);
    }
  };
  const timer = setInterval(
    whileIdle(() => turn().catch(onFailure)),
    timing.turnEveryMs,
  );
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(lease);
      clearInterval(timer);
      await Promise.race([holds.refresh(), delay(STOP_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

/** Ignores calls while an earlier one is still working. */
function whileIdle(work: () => Promise<void>): () => void {
  let isWorking = false;
  return async () => {
    if (isWorking) return;
    isWorking = true;
    try {
      await work();
    } finally {
      isWorking = false;
    }
  };
}
