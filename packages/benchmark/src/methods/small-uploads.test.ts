import { createUniform, shuffled } from "@stashlight/stats/random";
import fc from "fast-check";
import { expect, test } from "vitest";
import { orderUploads } from "./small-uploads.ts";

const parameters = fc.record({
  sizesBytes: fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 10 }),
  repetitionCount: fc.integer({ min: 1, max: 20 }),
});
const shuffleFrom =
  (seed: number) =>
  <T>(items: readonly T[]): T[] =>
    shuffled(items, createUniform(seed));

test("alternating sizes occur once per repetition, each in the leg of its size", () => {
  fc.assert(
    fc.property(parameters, fc.integer(), ({ sizesBytes, repetitionCount }, seed) => {
      const order = [
        ...orderUploads({ sizesBytes, repetitionCount, interleavesSizes: true }, shuffleFrom(seed)),
      ];
      expect(order).toHaveLength(sizesBytes.length * repetitionCount);
      for (const { sizeBytes, leg } of order) expect(sizesBytes[leg]).toBe(sizeBytes);
      for (let done = 0; done < repetitionCount; done += 1) {
        const turn = order.slice(done * sizesBytes.length, (done + 1) * sizesBytes.length);
        expect(turn.map(({ leg }) => leg).sort((a, b) => a - b)).toEqual([...sizesBytes.keys()]);
      }
    }),
  );
});

test("the order of sizes is drawn again for each repetition", () => {
  let drawnCount = 0;
  const reversed = <T>(items: readonly T[]): T[] =>
    drawnCount++ % 2 === 0 ? [...items] : items.toReversed();
  const order = orderUploads({ sizesBytes: [1, 2], repetitionCount: 3, interleavesSizes: true }, reversed);
  expect([...order].map(({ sizeBytes }) => sizeBytes)).toEqual([1, 2, 2, 1, 1, 2]);
});

test("sizes that do not alternate follow one another in the chosen order", () => {
  const order = orderUploads(
    { sizesBytes: [9, 3], repetitionCount: 3, interleavesSizes: false },
    shuffleFrom(1),
  );
  expect([...order].map(({ sizeBytes, leg }) => [sizeBytes, leg])).toEqual([
    [9, 0],
    [9, 0],
    [9, 0],
    [3, 1],
    [3, 1],
    [3, 1],
  ]);
});
