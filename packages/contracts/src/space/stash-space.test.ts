import fc from "fast-check";
import { expect, test } from "vitest";
import { describeClosedStash, measureStash } from "./stash-space.ts";

const at = (bytes: number, atMs = 0) => ({ bytes, atMs });

test("an idle stash has no occupied space, although uploads cannot use its reserve and garbage", () => {
  // Device of 20 segments of 4 MiB, two of them reserved and one full of purged shards.
  const segment = 4_186_112;
  const space = measureStash({
    live: at(0),
    garbage: at(segment),
    used: at(3 * segment),
    capacity: at(20 * segment),
  });
  expect(space).toMatchObject({ occupiedShare: 0, garbageShare: 0.05, closedShare: 0.15 });
});

test("live, garbage and free bytes add up to the capacity, and the closed share includes the live one", () => {
  const part = fc.nat({ max: 1e15 });
  fc.assert(
    fc.property(part, part, part, part, (live, garbage, reserve, appendable) => {
      const capacity = live + garbage + reserve + appendable + 1;
      const space = measureStash({
        live: at(live),
        garbage: at(garbage),
        used: at(live + garbage + reserve),
        capacity: at(capacity),
      });
      if (space === null) throw new Error("All figures are there.");
      expect(space.liveBytes + space.garbageBytes + space.freeBytes).toBe(capacity);
      expect(space.closedShare).toBeGreaterThanOrEqual(space.occupiedShare);
      expect(space.closedShare).toBeLessThan(1);
    }),
  );
});

test("figures of different moments, or a missing figure, yield no space", () => {
  const [live, garbage, used, capacity] = [at(1), at(2, 120_000), at(3), at(10)];
  expect(measureStash({ live, garbage, used, capacity })).toBeNull();
  expect(measureStash({ live, garbage: null, used, capacity })).toBeNull();
});

test("the sentence about a closed stash names unpurged shards, garbage and the reserve", () => {
  const space = measureStash({ live: at(12), garbage: at(58), used: at(80), capacity: at(100) });
  expect(describeClosedStash(space ?? never())).toBe(
    "Uploads cannot use 80 % of the stash: 12 % holds unpurged shards, 58 % garbage, 10 % is reserved",
  );
});

const never = (): never => {
  throw new Error("All figures are there.");
};
