/** Tests that merged epochs lead readers to every vault to which the original epochs led them. */

import { epochMarks } from "@stashlight/contracts/thresholds";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  accountOf,
  EPOCH_COUNT_MAX,
  type Epoch,
  firstLedger,
  isMergeable,
  merge,
  packLedger,
  parseLedger,
} from "./epoch-ledger.ts";
import { MERGED_EPOCH_COUNT_MAX, mergeEpochs } from "./epoch-merging.ts";
import { segmentsOf } from "./placement.ts";

const VAULT_COUNT = 4;
const vaults = Array.from({ length: VAULT_COUNT }, (_, at) => ({ id: `vault-${at}`, name: `v${at}` }));
const names = Array.from({ length: 60 }, (_, at) => ({ bucket: "photos", key: `${at}.jpg` }));

const weights = fc
  .array(fc.constantFrom(0, 0, 100, 150, 400, 1000), { minLength: 1, maxLength: VAULT_COUNT })
  .filter((each) => each.some((weight) => weight > 0));
const history = fc.array(weights, { minLength: 1, maxLength: 40 }).map((all) => {
  const terms = all.map((each) => ({ weights: each, reason: "space" as const, sinceMs: 0 }));
  return accountOf(terms).epochs;
});

/** Last epoch in which each vault accepted the key; 0 for a vault that never did. */
function lastEpochs(epochs: Epoch[], name: (typeof names)[number]): number[] {
  const segments = segmentsOf({ vaults, epochs }, name);
  return vaults.map((_, vault) => segments.find((segment) => segment.vault === vault)?.lastEpoch ?? 0);
}

test("epochs whose weights return are dropped without any effect on readers", () => {
  fc.assert(
    fc.property(history, (epochs) => {
      const merged = mergeEpochs(epochs, epochs.length + 2);
      const distinct = new Set(epochs.map((epoch) => vaults.map((_, at) => epoch.weights[at] ?? 0).join()));
      expect(merged).toHaveLength(distinct.size);
      expect(merged.at(-1)).toEqual(epochs.at(-1));
      for (const name of names) {
        expect(lastEpochs(merged, name)).toEqual(lastEpochs(epochs, name));
        const [before] = segmentsOf({ vaults, epochs }, name);
        expect(segmentsOf({ vaults, epochs: merged }, name)[0]).toEqual(before);
      }
    }),
    { numRuns: 60 },
  );
});

test("with any limit on epochs, a key is looked for wherever it was placed, and its current vault is unchanged", () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 2, max: 6 }), (epochs, countMax) => {
      // A ledger is merged repeatedly as it grows.
      const merged = epochs.reduce<Epoch[]>((kept, epoch) => mergeEpochs(kept.concat(epoch), countMax), []);
      expect(merged.length).toBeLessThanOrEqual(countMax);
      expect(merged.at(-1)).toEqual(epochs.at(-1));
      for (const name of names) {
        const [exact, found] = [lastEpochs(epochs, name), lastEpochs(merged, name)];
        for (const vault of vaults.keys()) {
          expect(found[vault]).toBeGreaterThanOrEqual(exact[vault] as number);
        }
        const [home] = segmentsOf({ vaults, epochs: merged }, name);
        const [present] = segmentsOf({ vaults, epochs }, name);
        expect(home?.vault).toBe(present?.vault);
        // A version of the first segment settles a read, so the segment must not reach back too far.
        expect(home?.firstEpoch).toBeGreaterThanOrEqual(present?.firstEpoch as number);
      }
    }),
    { numRuns: 60 },
  );
});

test("weights between merged ones are covered exactly if two vaults share the keys", () => {
  const terms = { reason: "space" as const, sinceMs: 0 };
  const shares = [200, 350, 500, 300].map((share) => ({ weights: [share, 1000 - share], ...terms }));
  const { epochs } = accountOf([...shares, { weights: [0, 1000], ...terms }]);
  const merged = mergeEpochs(epochs, 2);
  expect(merged.map(({ number }) => number)).toEqual([4, 5]);
  for (const name of names) {
    const reached = (list: Epoch[]) => lastEpochs(list, name).map((last) => last > 0);
    expect(reached(merged)).toEqual(reached(epochs));
  }
});

test("the alert fires before different epochs are merged, and both happen before a ledger is full", () => {
  expect(epochMarks.warningShare * EPOCH_COUNT_MAX).toBeLessThan(MERGED_EPOCH_COUNT_MAX);
  expect(MERGED_EPOCH_COUNT_MAX).toBeLessThanOrEqual(EPOCH_COUNT_MAX / 2);
});

const terms = (sinceMs: number) => ({ weights: [500, 500], reason: "back" as const, sinceMs });
/** A ledger written by an earlier version. */
const stored = {
  formatVersion: 1,
  vaults: vaults.slice(0, 2),
  coordinatorIds: ["c1"],
  epochs: [
    { weights: [1000], reason: "first", sinceMs: 10 },
    terms(20),
    { weights: [1000, 0], reason: "unreachable", sinceMs: 30 },
    terms(40),
  ],
  proposal: null,
};

test("a ledger keeps the format of earlier versions until it is merged", () => {
  const book = parseLedger(Buffer.from(JSON.stringify(stored)));
  expect(JSON.parse(packLedger(book).toString())).toEqual(stored);
  expect(isMergeable(book)).toBe(true);
  expect(isMergeable(firstLedger({ id: "a", name: "a" }, ["c1"], 0))).toBe(false);
  const merged = merge(book);
  expect(parseLedger(packLedger(merged))).toEqual(merged);
  expect(JSON.parse(packLedger(merged).toString())).toMatchObject({
    formatVersion: 2,
    epochs: [
      { number: 3, weights: [1000, 0] },
      { number: 4, weights: [500, 500] },
    ],
    recentMs: [10, 20, 30, 40],
    passedOver: [null, null],
  });
});

test("a merged ledger with epochs out of order, or an ambiguous current one, is refused", () => {
  const merged = merge(parseLedger(Buffer.from(JSON.stringify(stored))));
  const text = (epochs: object[]) => Buffer.from(JSON.stringify({ ...merged, epochs }));
  expect(() => parseLedger(text(merged.epochs.toReversed()))).toThrow("numbered in order");
  const vague = merged.epochs.map((epoch) => ({ ...epoch, leastWeights: [0, 0] }));
  expect(() => parseLedger(text(vague))).toThrow("exact weights");
});
