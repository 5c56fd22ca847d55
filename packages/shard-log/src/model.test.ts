import { PageMemory } from "@stashlight/paged-memory";
import { expect, test } from "vitest";
import { Model, type ModelRun } from "./testing/model.ts";

/** Each seed has another geometry, number of keys and failure rate; the index of some holds few of its pages. */
const modelRun = (seed: number, policy: "ring" | "extents"): ModelRun => ({
  seed,
  changes: {
    policy,
    segmentCount: 4 + (seed % 5),
    segmentBytes: 65_536 * (1 + (seed % 3)),
    ...(seed % 4 === 0 && { memory: new PageMemory() }),
  },
  steps: 1200,
  keyCount: [3, 20, 60, 400][seed % 4] as number,
  failureShare: seed % 3 === 0 ? 0.002 : 0,
});

test.each(["ring", "extents"] as const)(
  "%s: after any power cut, crash or failure the log reflects the calls up to a point after the last acknowledgement",
  (policy) => {
    const sums = { cuts: 0, recycles: 0, moved: 0, full: 0, poisoned: 0 };
    for (let seed = 1; seed <= 12; seed++) {
      const counts = new Model(modelRun(seed, policy)).play();
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += counts[name];
    }
    // The guarantee proves nothing unless the hazards occurred.
    expect(sums.cuts).toBeGreaterThan(50);
    expect(sums.recycles).toBeGreaterThan(50);
    expect(sums.moved).toBeGreaterThan(50);
    expect(sums.full).toBeGreaterThan(50);
    expect(sums.poisoned).toBeGreaterThan(1);
  },
  60_000,
);
