import { expect, test } from "vitest";
import { expandDistribution, storedDistributions } from "./distributions.ts";

const stored = (part: object = {}) => ({
  label: "PUT",
  of: "segments",
  operation: "PUT",
  sizeBytes: 262_144,
  bins: [
    [100, 2],
    [120, 1],
  ],
  ...part,
});

test("distributions are labelled as segments or bins; those without values, or without a size unless they are syncs, are left out", () => {
  const manifest = {
    imported: {
      distributions: [
        stored(),
        stored({ of: undefined, operation: "WRITE" }),
        stored({ operation: "SYNC", sizeBytes: null }),
        stored({ sizeBytes: null }),
        stored({ bins: [] }),
      ],
    },
  };
  expect(storedDistributions(manifest)).toMatchObject([
    { operation: "PUT", sizeBytes: 262_144, connectionCount: 1, sampleCount: 3, by: "segments" },
    { operation: "WRITE", sampleCount: 3, by: "bins" },
    { operation: "SYNC", sizeBytes: 0 },
  ]);
  expect(storedDistributions(null)).toEqual([]);
  expect(storedDistributions({ sampler: "own" })).toEqual([]);
});

test("each bin contributes as many values as it counts", () => {
  const [subject] = storedDistributions({ imported: { distributions: [stored()] } });
  expect(subject && [...expandDistribution(subject.distribution)]).toEqual([100, 100, 120]);
});

test("thinning a million operations keeps the share of every bin", () => {
  const bins: [number, number][] = [
    [1, 900_000],
    [2, 90_000],
    [50, 10_000],
  ];
  const values = expandDistribution({ of: "operations", operation: "READ", sizeBytes: 4_096, bins });
  expect(values).toHaveLength(20_000);
  const share = (value: number) => values.filter((each) => each === value).length / values.length;
  expect([share(1), share(2), share(50)]).toEqual([0.9, 0.09, 0.01]);
});
