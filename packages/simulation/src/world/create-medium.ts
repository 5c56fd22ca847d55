import { createRandom, type Random } from "@stashlight/stats/forkable-random";
import type { Oracle, Violation } from "../check/oracle.ts";
import type { Counters } from "../counters.ts";
import type { EventQueue } from "../event-queue.ts";
import { LogMedium } from "../medium/log-medium.ts";
import type { MediaWitness, Medium } from "../medium/medium.ts";
import { RecordMedium } from "../medium/record-medium.ts";
import { type RunOptions, WALL_BYTES } from "../options.ts";

export interface MediumWorld {
  readonly oracle: Oracle;
  readonly options: RunOptions;
  readonly random: Random;
  readonly queue: EventQueue;
  readonly counters: Counters;
  readonly violations: Violation[];
}

/** Creates the medium of a pod or a stash device, which reports its contents to the oracle. */
export function createMedium(
  world: MediumWorld,
  place: "pod" | "stash",
  witnessOfNode: Pick<MediaWitness, "syncFailed" | "remembered">,
): Medium {
  const { oracle, options, random, queue, counters, violations } = world;
  const witness: MediaWitness = {
    durable: (shard) => oracle.durable(place, shard),
    killed: (uploadId, shardIndex, wasDurable) => oracle.killed(place, uploadId, shardIndex, wasDurable),
    retracted: (uploadId, shardIndex) => oracle.retracted(place, uploadId, shardIndex),
    lost: (uploadId, shardIndex) => oracle.lost(place, uploadId, shardIndex),
    lied: (shard) => oracle.lied(shard),
    ...witnessOfNode,
    violated: (property, sentence) => violations.push({ property, sentence }),
  };
  const MediumOfRun = options.medium === "log" ? LogMedium : RecordMedium;
  return new MediumOfRun({
    queue,
    random: random.fork(),
    // Drawn apart, so that the rest of the seed stays the same without it.
    indexRandom: createRandom(options.seed ^ 0x1dec5),
    counters,
    witness,
    isGroupCommit: place === "stash",
    // Capacities differ, so that pods fill up one after the other.
    capacityBytes: options.isAtWall && place === "pod" ? WALL_BYTES * (0.7 + 0.3 * random.next()) : null,
    writeUs: 10,
    syncUs: place === "stash" ? options.stashSyncUs : options.podSyncUs,
  });
}
