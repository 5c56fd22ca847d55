import { expect, test } from "vitest";
import { createRandom, randomNormal } from "../random.ts";
import { compareGroups } from "./compare-groups.ts";

/** Hosts whose levels differ by 10 %, with runs that differ by 2 %. */
function drawHosts(uint32: () => number, hostCount: number, level: number, runCount = 5): number[][] {
  return Array.from({ length: hostCount }, () => {
    const host = level * (1 + 0.1 * randomNormal(uint32));
    return Array.from({ length: runCount }, () => host * (1 + 0.02 * randomNormal(uint32)));
  });
}

const compare = (groups: number[][][], options = {}) =>
  compareGroups({ groups, random: createRandom(1), drawCount: 200, ...options });

test("three hosts of 50 runs each have an interval at 75 % confidence, and no verdict at 95 %", () => {
  const { uint32 } = createRandom(2);
  const { groups, contests } = compare([drawHosts(uint32, 3, 100, 50), drawHosts(uint32, 3, 1_000, 50)]);
  expect(groups[0]).toMatchObject({ hostCount: 3, confidenceMax: 0.75, interval: { confidence: 0.75 } });
  expect(contests[0]?.verdict).toBe("too-few-hosts");
  expect(contests[0]?.confidenceMax).toBeCloseTo(0.9, 12);
});

test("three hosts per group support a verdict at 90 %", () => {
  const { uint32 } = createRandom(2);
  const groups = [drawHosts(uint32, 3, 100), drawHosts(uint32, 3, 1_000)];
  expect(compare(groups, { confidence: 0.9 }).contests[0]?.verdict).toBe("b-higher");
  expect(compare(groups.toReversed(), { confidence: 0.9 }).contests[0]?.verdict).toBe("a-higher");
});

test("intervals of 3, 5 and 8 hosts contain the truth as often as stated, to within 6 points", () => {
  const { uint32 } = createRandom(3);
  for (const hostCount of [3, 5, 8]) {
    let held = 0;
    for (let repeat = 0; repeat < 300; repeat += 1) {
      const interval = compare([drawHosts(uint32, hostCount, 100)]).groups[0]?.interval;
      if (interval && interval.low <= 100 && interval.high >= 100) held += 1;
    }
    const asked = Math.min(0.95, 1 - 2 ** (1 - hostCount));
    expect(held / 300).toBeGreaterThan(asked - 0.06);
  }
});

test("equal groups of ten hosts are called different in less than 8 % of 300 comparisons", () => {
  const { uint32 } = createRandom(4);
  let told = 0;
  for (let repeat = 0; repeat < 300; repeat += 1) {
    const { contests } = compare(
      [1, 2, 3].map(() => drawHosts(uint32, 10, 100)),
      { drawCount: 100 },
    );
    if (contests.some(({ verdict }) => verdict !== "undecided")) told += 1;
  }
  expect(told / 300).toBeLessThan(0.08);
});

test("one host has a median and no interval, and groups without hosts or runs are refused", () => {
  expect(compare([[[1, 2, 3]]]).groups[0]).toMatchObject({ median: 2, interval: null, confidenceMax: 0 });
  expect(() => compare([])).toThrow("There are no groups.");
  expect(() => compare([[]])).toThrow("There are no hosts in a group.");
  expect(() => compare([[[]]])).toThrow("There are no runs of a host.");
});
