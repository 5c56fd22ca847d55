import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ARRIVALS_PER_PAGE, Arrivals } from "./arrivals.ts";

const makeArrivals = () => {
  const memory = new PageMemory({ heldPagesMax: 2, file: new ArrayFile() });
  return { memory, arrivals: new Arrivals(memory) };
};

/** Arrivals in a few pages, many of them at the edges. */
const anyArrival = fc.oneof(
  fc.nat(4 * ARRIVALS_PER_PAGE),
  fc
    .tuple(fc.nat(4), fc.integer({ min: -2, max: 2 }))
    .map(([page, off]) => Math.max(0, page * ARRIVALS_PER_PAGE + off)),
);

test("after any history arrivals answer like a plain map", () => {
  const rounds = fc.array(fc.uniqueArray(anyArrival, { maxLength: 200 }), { maxLength: 5 });
  fc.assert(
    fc.property(rounds, anyArrival, anyArrival, fc.nat(1023), (toggled, after, end, bucket) => {
      const { memory, arrivals } = makeArrivals();
      const truth = new Map<number, { pointerPage: number; bucket: number }>();
      for (const arrival of toggled.flat()) {
        memory.relax();
        const entry = {
          pointerPage: (arrival * 0x9e3779b1) >>> 0,
          bucket: arrival % 7 === 0 ? bucket : arrival % 1024,
        };
        if (truth.delete(arrival)) arrivals.remove(arrival);
        else {
          truth.set(arrival, entry);
          arrivals.add(arrival, entry.pointerPage, entry.bucket);
        }
      }
      const expected = [...truth.keys()].sort((a, b) => a - b);
      const isWanted = (arrival: number) => truth.get(arrival)?.bucket === bucket;
      expect([...arrivals.between(after, end, new Set([bucket]))]).toEqual(
        expected.filter((arrival) => arrival > after && arrival < end && isWanted(arrival)),
      );
      for (const [arrival, { pointerPage }] of truth) {
        memory.relax();
        expect(arrivals.pointerPageOf(arrival)).toBe(pointerPage);
      }
      for (const arrival of truth.keys()) arrivals.remove(arrival);
      expect(memory.pageCount).toBe(0);
    }),
    { numRuns: 200 },
  );
});

test("a look through many arrivals holds few pages at a time", () => {
  const { memory, arrivals } = makeArrivals();
  for (let page = 0; page < 50; page += 1) {
    memory.relax();
    arrivals.add(page * ARRIVALS_PER_PAGE, page, 3);
  }
  expect([...arrivals.between(0, Number.POSITIVE_INFINITY, new Set([4]))]).toEqual([]);
  expect(memory.heldCount).toBeLessThanOrEqual(4);
});
