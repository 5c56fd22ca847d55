import { PageMemory } from "@stashlight/paged-memory";
import { expect, test } from "vitest";
import type { DiskFile } from "./disk.ts";
import { purgesOwed } from "./recycler.ts";
import { Segment } from "./segment.ts";

test("a segment keeps no count of purges for generations that were recycled", () => {
  const segment = new Segment(0, { sizeBytes: 65_536 } as DiskFile, new PageMemory());
  segment.reset(1000);
  for (let generation = 1; generation <= 1000; generation += 1) segment.owe(generation);
  segment.owe(998);
  const isOnMedium = (generation: number): boolean => generation > 997;
  expect(purgesOwed({ isOnMedium }, segment)).toBe(3);
  expect([...segment.owes.keys()]).toEqual([998, 999, 1000]);
});
