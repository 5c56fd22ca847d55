import { expect, test } from "vitest";
import { quorumsOf, schemes, serverCountMin, shardsPerServerMax } from "./quorums.ts";

test.each([
  ["17+3", { shardCount: 20, decode: 17, acknowledge: 19, discover: 4, refuse: 4, bury: 6, defeat: 2 }],
  ["16+4", { shardCount: 20, decode: 16, acknowledge: 19, discover: 5, refuse: 5, bury: 8, defeat: 2 }],
  ["15+5", { shardCount: 20, decode: 15, acknowledge: 19, discover: 6, refuse: 6, bury: 10, defeat: 2 }],
] as const)("the quorums of %s match the table", (name, expected) => {
  expect(quorumsOf(schemes[name])).toEqual(expected);
});

test.each([
  ["16+4", 3, 7],
  ["17+3", 2, 10],
  ["15+5", 4, 5],
] as const)(
  "%s survives a power cut and a dead stash server with at most %i shards per server, and so at least %i servers",
  (name, shards, servers) => {
    expect(shardsPerServerMax(schemes[name], 1)).toBe(shards);
    expect(serverCountMin(schemes[name], 1)).toBe(servers);
  },
);

test("up to 24 shards, exactly the schemes with k > m >= 1 and at least three shards have intersecting quorums", () => {
  let accepted = 0;
  for (let k = -1; k <= 24; k += 1) {
    for (let m = -1; k + m <= 24; m += 1) {
      const scheme = { dataShardCount: k, parityShardCount: m };
      if (k > m && m >= 1 && k + m >= 3) {
        const { decode, discover, refuse, bury, shardCount } = quorumsOf(scheme);
        expect(Math.min(discover, refuse) + decode).toBe(shardCount + 1);
        // After a death is declared and m - 1 drives with promises are lost, fewer than k pods may still take the
        // upload.
        expect(shardCount - (bury - (m - 1))).toBeLessThan(decode);
        accepted += 1;
      } else expect(() => quorumsOf(scheme)).toThrow(`not ${k}+${m}.`);
    }
  }
  expect(accepted).toBe(132);
});
