import { expect, test } from "vitest";
import { desiredEpoch, type VaultView } from "./desired-weights.ts";
import { accountOf, type Epoch, type EpochLedger } from "./epoch-ledger.ts";

const GIB = 2 ** 30;
const NOW_MS = 1_000_000_000;
const HOUR_MS = 3_600_000;
const timing = { closeAfterMs: 5000, restMs: 30_000 };

function viewOf(freeGib: number, more: Partial<VaultView> = {}): VaultView {
  return { isReachable: true, sinceMs: 60_000, freeBytes: freeGib * GIB, capacityBytes: 100 * GIB, ...more };
}

function bookOf(...epochs: readonly (readonly [readonly number[], Epoch["reason"], number])[]): EpochLedger {
  return {
    formatVersion: 1,
    vaults: [],
    coordinatorIds: [],
    ...accountOf(
      epochs.map(([weights, reason, agoMs]) => ({
        weights: [...weights],
        reason,
        sinceMs: NOW_MS - agoMs,
      })),
    ),
    proposal: null,
  };
}

const first = [[1000], "first", 10 * HOUR_MS] as const;
const both = [[200, 800], "joined", HOUR_MS] as const;
const away = { isReachable: false, sinceMs: 6000 };

test.each<readonly [string, EpochLedger, VaultView[], ReturnType<typeof desiredEpoch>]>([
  ["one vault", bookOf(first), [viewOf(50)], null],
  ["a new vault", bookOf(first), [viewOf(20), viewOf(80)], { weights: [200, 800], reason: "joined" }],
  ["an unreachable new vault", bookOf(first), [viewOf(20), viewOf(0, away)], null],
  [
    "a vault below 3 % free",
    bookOf(first, both),
    [viewOf(2), viewOf(50)],
    { weights: [0, 1000], reason: "full" },
  ],
  ["all vaults full", bookOf(first, both), [viewOf(2), viewOf(1)], null],
  [
    "an unreachable vault",
    bookOf(first, both),
    [viewOf(20), viewOf(80, away)],
    { weights: [1000, 0], reason: "unreachable" },
  ],
  [
    "a vault that has just become unreachable",
    bookOf(first, both),
    [viewOf(20), viewOf(80, { isReachable: false, sinceMs: 4000 })],
    null,
  ],
  ["the only open vault while it is unreachable", bookOf(first), [viewOf(20, away)], null],
  [
    "a small difference of space",
    bookOf(first, [both[0], "joined", 7 * HOUR_MS]),
    [viewOf(25), viewOf(75)],
    null,
  ],
  [
    "a large difference of space",
    bookOf(first, [both[0], "joined", 7 * HOUR_MS]),
    [viewOf(50), viewOf(50)],
    { weights: [500, 500], reason: "space" },
  ],
  ["a large difference of space soon after an epoch", bookOf(first, both), [viewOf(50), viewOf(50)], null],
  [
    "a full vault with a little space again",
    bookOf(first, both, [[0, 1000], "full", HOUR_MS]),
    [viewOf(7), viewOf(80)],
    null,
  ],
  [
    "a full vault with much space again",
    bookOf(first, both, [[0, 1000], "full", HOUR_MS]),
    [viewOf(20), viewOf(80)],
    { weights: [200, 800], reason: "back" },
  ],
  [
    "a vault that returns after many epochs in the last hour",
    bookOf(first, both, ...Array.from({ length: 7 }, () => [[1000, 0], "unreachable", 1_800_000] as const)),
    [viewOf(20), viewOf(80)],
    null,
  ],
])("%s leads to the right weights, or to no new epoch", (_name, book, views, wish) => {
  expect(desiredEpoch(book, views, timing, NOW_MS)).toEqual(wish);
});
