/**
 * Fills a vault until two pods have no free space, large uploads first and then ones hardly larger than a tombstone.
 * Then deletes objects that do not exist, more than the reserve would hold, while one pod is away, so that none of
 * those deletions can be forgotten. Objects that do exist must still be deletable.
 */
import type { Violation } from "../check/oracle.ts";
import { WALL_BYTES } from "../options.ts";
import { issue, type Stage, waitUntil } from "./trial.ts";

const LARGE_BYTES = 11_000;
/** Pods hold at most WALL_BYTES; medium uploads fill the space that large ones leave, and so on. */
const sizes = [
  { name: "wall", sizeBytes: LARGE_BYTES, count: Math.ceil((1.1 * WALL_BYTES) / LARGE_BYTES) },
  { name: "stone", sizeBytes: 2000, count: 6 },
  { name: "brick", sizeBytes: 1, count: 8 },
] as const;
/** A fifteenth of the space for data is reserved, and a tombstone takes about 400 bytes. */
const ABSENT_COUNT = 32;
const DELETED_COUNT = 3;
const PACE_MS = 40;
/** Coordinators learn of flushes and of free space within this time. */
const REST_MS = 7000;
const ABSENT_MS = 2000;
const TRY_MS = 12_000;
/**
 * A coordinator whose clock is behind answers its first delete of a key with 503, and a vault has up to three
 * coordinators.
 */
const TRY_COUNT = 5;

const makeKeys = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`);
const absentKeys = makeKeys("absent", ABSENT_COUNT);

export const wallKeys: readonly string[] = sizes.flatMap(({ name, count }) => makeKeys(name, count));

export function deleteAtTheWall(stage: Stage): Violation | null {
  const { world, random, advance, clients } = stage;
  const { dataShardCount } = world.options.scheme;
  const tokens = sizes.flatMap(({ name, sizeBytes, count }) =>
    write(stage, "put", makeKeys(name, count), sizeBytes * dataShardCount),
  );
  advance(REST_MS);
  const held = wallKeys.filter((_, at) => clients.storedTokens.has(tokens[at] ?? -1));
  if (held.length === wallKeys.length || world.violations.length > 0) return null;
  world.counters.add("wall: reached");
  const away = random.pick(world.pods);
  world.crashPod(away);
  away.node.isHeldDown = true;
  write(stage, "delete", absentKeys, 0);
  advance(ABSENT_MS);
  const [open] = deleteSome(stage, held.slice(0, DELETED_COUNT));
  away.node.isHeldDown = false;
  world.startPod(away);
  if (open === undefined || world.violations.length > 0) return null;
  const sentence = `A vault that is full and lacks one pod did not delete ${open}.`;
  return { property: "liveness", sentence };
}

/** Makes calls one after the other; returns their numbers. */
function write(stage: Stage, type: "put" | "delete", keys: readonly string[], sizeBytes: number): number[] {
  return keys.map((key) => {
    const token = issue(stage, type, key, { sizeBytes });
    stage.advance(PACE_MS);
    return token ?? -1;
  });
}

/** Deletes some keys, and returns those that could not be deleted despite all retries. */
function deleteSome(stage: Stage, keys: readonly string[]): readonly string[] {
  let open = keys;
  for (let count = 0; count < TRY_COUNT && open.length > 0; count += 1) {
    const tokens = open.map((key) => issue(stage, "delete", key) ?? -1);
    const isStored = (token: number | undefined) => stage.clients.storedTokens.has(token ?? -1);
    waitUntil(stage, () => tokens.every(isStored), TRY_MS);
    open = open.filter((_, at) => !isStored(tokens[at]));
  }
  return open;
}
