/**
 * Final phase of a run: deletes everything and checks that the vault is as it was before the first upload. A vault
 * must accept every delete, even if it is full. Then it must accept an upload again, and once that is deleted too, no
 * node may keep a record or an entry.
 */
import type { Violation } from "./check/oracle.ts";
import type { Clients } from "./world/clients.ts";
import type { World } from "./world/world.ts";

/** Virtual time within which all deletes must be answered. */
const DELETES_WITHIN_MS = 300_000;
const ROUND_MS = 15_000;
const STEP_MS = 250;
/**
 * Deletes in progress from clients of a full vault. Pods of a run reserve space for eight tombstones; the smallest
 * pods of a vault reserve it for hundreds, and a coordinator has at most 32 deletes in progress
 * (packages/shard-log/src/space-limits.ts).
 */
const DELETES_AT_WALL = 4;
/** Pods ask about unresolved uploads at intervals of up to 320 s, and a horizon follows ten seconds later. */
const EMPTY_WITHIN_MS = 900_000;

export interface Emptying {
  readonly world: World;
  readonly clients: Clients;
  readonly keys: readonly string[];
  /** Advances virtual time by this duration, unless a promise is broken first. */
  readonly advance: (durationMs: number) => void;
}

/**
 * Returns null if everything was deleted and an upload was accepted again; otherwise the operation that did not succeed
 * in time.
 */
export function deleteEverything(emptying: Emptying): Violation | null {
  const { keys } = emptying;
  const kept = writeUntilStored(emptying, "delete", keys);
  if (kept.length > 0) {
    return liveness(`in a vault without faults ${kept.length} of ${keys.length} keys could not be deleted`);
  }
  if (writeUntilStored(emptying, "put", ["again"]).length > 0) {
    return liveness("a vault accepts no upload after everything was deleted");
  }
  const again = writeUntilStored(emptying, "delete", ["again"]);
  return again.length === 0 ? null : liveness("the last upload could not be deleted");
}

/** Returns null if no node keeps anything. */
export function becomeEmpty({ world, clients, keys, advance }: Emptying): Violation | null {
  const withinMs = EMPTY_WITHIN_MS + clockSpreadMs(world);
  let left = leftovers(world);
  for (let waitedMs = 0; left !== null && waitedMs < withinMs; waitedMs += ROUND_MS) {
    advance(ROUND_MS);
    if (world.violations.length > 0) return null;
    for (const { medium } of [...world.pods, ...world.stashes]) medium.scrub();
    left = leftovers(world);
  }
  if (left !== null) {
    return liveness(`${Math.round(withinMs / 60_000)} minutes after everything was deleted, ${left}`);
  }
  clients.lastReads.clear();
  const common = { atMs: 0, sizeBytes: 0, condition: "none", coordinator: 0 } as const;
  for (const key of keys) clients.issue({ ...common, type: "get", key }, true);
  advance(ROUND_MS);
  const shown = keys.find((key) => clients.lastReads.get(key) !== null);
  if (shown === undefined || world.violations.length > 0) return null;
  const found = clients.lastReads.get(shown);
  const answer = found === undefined ? "was not answered" : `found ${found}`;
  return {
    property: "S7",
    sentence: `After everything was deleted and forgotten, a GET of ${shown} ${answer}.`,
  };
}

/** Retries each key until the write is answered with "stored"; returns the keys for which that never happened. */
function writeUntilStored(
  { world, clients, advance }: Emptying,
  type: "put" | "delete",
  keys: readonly string[],
): string[] {
  const common = { atMs: 0, sizeBytes: 100, condition: "none" } as const;
  let open: readonly string[] = keys;
  const endUs = world.queue.nowUs + DELETES_WITHIN_MS * 1000;
  const atOnceMax = world.options.isAtWall ? DELETES_AT_WALL : keys.length;
  const isOver = () => world.queue.nowUs >= endUs || world.violations.length > 0;
  for (let round = 0; open.length > 0 && !isOver(); round += 1) {
    const left: string[] = [];
    for (let from = 0; from < open.length; from += atOnceMax) {
      const group = open.slice(from, from + atOnceMax);
      if (isOver()) {
        left.push(...group);
        continue;
      }
      const tokens = group.map((key) => clients.issue({ ...common, type, key, coordinator: round }, true));
      const isStored = (_: string, at: number) => clients.storedTokens.has(tokens[at] ?? -1);
      for (let ms = 0; ms < ROUND_MS && !group.every(isStored) && !isOver(); ms += STEP_MS) advance(STEP_MS);
      left.push(...group.filter((key, at) => !isStored(key, at)));
    }
    open = left;
  }
  return world.violations.length > 0 ? [] : [...open];
}

/**
 * A pod forgets a deletion once the pod's clock has passed the version order that a coordinator assigned by its own
 * clock.
 */
function clockSpreadMs({ pods, coordinators }: World): number {
  const offsetsMs = [...pods, ...coordinators].map(({ node }) => node.clockOffsetMs + node.wallAheadMs);
  return Math.max(...offsetsMs) - Math.min(...offsetsMs);
}

/** Returns the reason why the vault is not empty; null if it is. */
function leftovers(world: World): string | null {
  for (const { podIndex, state, medium } of world.pods) {
    const { entries, refused, tombstones, unresolved, askCounts, damaged } = state ?? {};
    const sizes = { entries, objects: entries?.objects, refused, tombstones, unresolved, askCounts, damaged };
    for (const [name, items] of Object.entries(sizes)) {
      if (items?.size !== 0) return `pod ${podIndex} has ${items?.size ?? "no"} ${name} in memory`;
    }
    if (medium.durableCount > 0) return `pod ${podIndex} has ${medium.durableCount} records on its medium`;
    if (medium.promiseCount > 0) return `pod ${podIndex} has ${medium.promiseCount} promises on its medium`;
  }
  for (const { deviceId, state, medium, isGone } of world.stashes) {
    if (isGone) continue;
    const count = Math.max(state?.entries.size ?? -1, medium.durableCount);
    if (count !== 0) return `stash device ${deviceId} has ${count} shards`;
  }
  return null;
}

function liveness(what: string): Violation {
  return { property: "liveness", sentence: `${what.charAt(0).toUpperCase()}${what.slice(1)}.` };
}
