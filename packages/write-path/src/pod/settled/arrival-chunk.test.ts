import fc from "fast-check";
import { expect, test } from "vitest";
import { CHUNK_LENGTH, type Chunk, emptyChunk } from "./arrival-chunk.ts";

const contentOf = (chunk: Chunk): [number, number, number][] => {
  const content: [number, number, number][] = [];
  for (let at = chunk.next(0); at < CHUNK_LENGTH; at = chunk.next(at + 1))
    content.push([at, chunk.blockAt(at), chunk.bucketAt(at)]);
  return content;
};

test("a chunk answers as a plain map does after any history", () => {
  const arrivals = fc.uniqueArray(fc.nat(CHUNK_LENGTH - 1), { maxLength: 300, minLength: 1 });
  fc.assert(
    fc.property(arrivals, fc.array(arrivals, { maxLength: 4 }), (first, later) => {
      const truth = new Map<number, [number, number]>();
      let chunk = emptyChunk();
      for (const [round, toggled] of [first, ...later].entries()) {
        for (const at of toggled) {
          const known = truth.get(at);
          if (known === undefined) {
            truth.set(at, [at * 7 + round, at]);
            chunk = chunk.set(at, at * 7 + round, at);
          } else if (round % 2 === 0) {
            truth.set(at, [round, known[1]]);
            chunk.move(at, round);
          } else {
            truth.delete(at);
            chunk = chunk.remove(at);
          }
        }
        const expected = [...truth].sort(([a], [b]) => a - b).map(([at, of]) => [at, ...of]);
        expect(contentOf(chunk)).toEqual(expected);
        expect(chunk.count).toBe(truth.size);
      }
    }),
    { numRuns: 100 },
  );
});

test.each([1, 8, 95])(
  "%i entries that are left of a full chunk take at most 32 bytes each and 96 more",
  (leftCount) => {
    let chunk = emptyChunk();
    for (let at = 0; at < CHUNK_LENGTH; at += 1) chunk = chunk.set(at, 1, 1);
    expect(chunk.byteLength).toBe(6 * CHUNK_LENGTH);
    for (let at = leftCount; at < CHUNK_LENGTH; at += 1) chunk = chunk.remove(at);
    expect(chunk.byteLength).toBeLessThanOrEqual(Math.max(64, 32 * leftCount, 0) + 64);
    expect(contentOf(chunk).map(([at]) => at)).toEqual(Array.from({ length: leftCount }, (_, at) => at));
  },
);
