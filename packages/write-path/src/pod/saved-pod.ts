/**
 * State of a pod for its next boot, without the pages of its settled entries. The boot begins like any other: it gets
 * the open entries as shards of its log, and nothing that this boot knows of its peers, coordinators and the stash.
 */
import { createDigests, type Digests, fingerprintOf, removeFromDigests } from "../digest.ts";
import type { LoggedShard } from "../effects.ts";
import type { VaultConfig } from "../placement.ts";
import { crcOf } from "./entry.ts";
import type { PackedEntries, SavedEntries } from "./settled/packed-entries.ts";
import { createPod, type PodState } from "./state.ts";

export interface SavedPod {
  readonly settled: SavedEntries;
  readonly digestsOfSettled: Digests;
  /** Shards whose records are in the log and whose entries are not settled. */
  readonly open: readonly LoggedShard<number>[];
}

/** Maximum number of open entries, which are objects in the saved state. */
const OPEN_MAX = 65_536;

/**
 * Returns why the next boot has to read the log if this pod cannot be saved. Nothing may be on its way to the log.
 * `settled` are the pod's settled entries.
 */
export function savePod(state: PodState<number>, settled: PackedEntries): SavedPod | string {
  const { lifecycle, entries, damaged, hearsay, identity, bucketDigests, nextArrival } = state;
  if (lifecycle === "recovering" || lifecycle === "halted") return `its pod is ${lifecycle}`;
  if (entries.open.size > OPEN_MAX) return "too many of its entries are open";
  const digestsOfSettled = createDigests();
  digestsOfSettled.set(bucketDigests);
  const open: LoggedShard<number>[] = [];
  for (const entry of entries.open.values()) {
    const { upload, outcome } = entry;
    const { uploadId } = upload;
    if (entry.state === "appending") return "shards are on their way to its log";
    if (!hearsay.has(uploadId)) removeFromDigests(digestsOfSettled, fingerprintOf(uploadId));
    const position = entry.position ?? damaged.get(uploadId)?.position ?? null;
    if (position === null) continue;
    open.push({ upload, shardIndex: identity.podIndex, payloadCrc: crcOf(entry), position, outcome });
  }
  return { settled: settled.save(nextArrival), digestsOfSettled, open };
}

/** Creates a pod that continues with the settled entries of its last boot. */
export function createSavedPod(
  config: VaultConfig,
  podIndex: number,
  settled: PackedEntries,
  saved: SavedPod,
): PodState<number> {
  const state = createPod<number>(config, podIndex, settled);
  state.bucketDigests.set(saved.digestsOfSettled);
  state.nextArrival = saved.settled.nextArrival;
  return state;
}
