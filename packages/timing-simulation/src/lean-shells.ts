/** The shells of a scenario carry out effects on drives without bytes, with a codec that encodes nothing. */
import assert from "node:assert/strict";
import type { PodLog } from "@stashlight/shard-store/shell";
import { crcOf, type LoggedShard, type PodState, type Shard } from "@stashlight/write-path";
import type { LeanDrive, LeanRecord } from "./lean-drive.ts";

/** Placeholder for any payload: machines pass it on and never read it. */
export const NO_BYTES = new Uint8Array(0);
export const NO_CRC = 1;

/** Rebuilds the missing shards of an upload, all of which are empty. */
export function rebuildLean(given: readonly Shard[], missing: readonly number[]): Shard[] {
  const [first] = given;
  assert(first !== undefined, "shards are rebuilt from others");
  const { upload } = first;
  return missing.map((shardIndex) => ({ upload, shardIndex, payload: NO_BYTES, payloadCrc: NO_CRC }));
}

/** Returns the state that a pod's log would give to the next boot. */
export function loggedShards({ entries }: PodState<LeanRecord>): LoggedShard<LeanRecord>[] {
  const shards: LoggedShard<LeanRecord>[] = [];
  for (const entry of entries.values()) {
    const { upload, position, outcome } = entry;
    if (position === null) continue;
    const { shardIndex } = position.shard;
    shards.push({ upload, shardIndex, payloadCrc: crcOf(entry), position, outcome });
  }
  return shards;
}

/** A scenario kills nothing on pods, and pods restart with their memory intact, so a boot needs no further state. */
export function podLog(drive: LeanDrive): PodLog<LeanRecord> {
  return {
    append: (shard) => drive.write(shard),
    load: (loadId, record) => drive.load(loadId, record),
    flush: () => drive.flush(),
    persistRefusal: ({ uploadId }) => drive.persistRefusal(uploadId),
    kill: () => {},
    remember: () => {},
    forgetRefusal: () => {},
    persistHorizon: () => {},
  };
}

/** Ends the run: drives of a scenario are slow or absent, and never fail. */
export function haltScenario(reason: string): void {
  assert.fail(`A machine of the scenario halted: ${reason}`);
}
