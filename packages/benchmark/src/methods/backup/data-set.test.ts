import { createUniform, shuffled } from "@stashlight/stats/random";
import { expect, test } from "vitest";
import { chooseMethod } from "../registry.ts";
import { drawDataSets, replacedBlocks } from "./data-set.ts";
import { backupCounts, backupParameters } from "./parameters.ts";

test.each([
  {},
  { duplicateShare: 0.9 },
  { incrementalCount: 3, changedShare: 1 },
  { incrementalCount: 5, changedShare: 0.3, duplicateShare: 0.5, machineCount: 4 },
  { incrementalCount: 2, machineCount: 3, restoresWhileWriting: true },
])("with %j every block is uploaded once by one machine, and is replaced or in use", (given) => {
  const parameters = backupParameters.parse({ dataBytes: 409_600, blockBytes: 4096, ...given });
  const counts = backupCounts(parameters);
  for (const seed of [1, 2, 3]) {
    const random = createUniform(seed);
    const machines = drawDataSets(counts, parameters, (items) => shuffled(items, random));
    expect(machines).toHaveLength(parameters.machineCount);
    const uploaded = machines.flatMap(({ full, incrementals, meanwhile }) => [
      ...[full, ...incrementals, meanwhile].flat(),
    ]);
    expect(uploaded.toSorted((a, b) => a - b)).toEqual([...Array(counts.uploadCount).keys()]);
    for (const data of machines) {
      expect(data.newest).toHaveLength(counts.blockCount);
      expect(data.full).toHaveLength(counts.distinctCount);
      for (const blocks of data.incrementals) expect(blocks).toHaveLength(counts.changedCount);
      const replaced = replacedBlocks(data);
      const standing = [...new Set(data.newest)];
      expect(replaced.filter((block) => standing.includes(block))).toEqual([]);
      const mine = [data.full, ...data.incrementals].flat();
      expect([...replaced, ...standing].toSorted()).toEqual(mine.toSorted());
      // Blocks of the last incremental are never replaced.
      expect(replaced.filter((block) => data.incrementals.at(-1)?.includes(block))).toEqual([]);
    }
  }
});

test("a plan with duplicate blocks marks its estimate as an upper bound", () => {
  const parameters = { restoresWhileWriting: true, dataBytes: 409_600, blockBytes: 4096 };
  const estimate = (duplicateShare: number) =>
    chooseMethod({ name: "backup", parameters: { ...parameters, duplicateShare } }).plan.estimate;
  expect(estimate(0)).toMatchObject({ isUpperBound: false, requests: { get: 100 } });
  expect(estimate(0.5)).toMatchObject({ isUpperBound: true, requests: { get: 50 } });
});
