import { expect, test } from "vitest";
import { drawOptions } from "./options.ts";
import { run } from "./run.ts";

/** `npm test` runs hundreds more, each twice, and requires every hazard to occur. */
const seeds = Array.from({ length: 20 }, (_, i) => i + 1);
/** Short seeds, each of which once found a mistake, sometimes in the models. */
const instructiveSeeds = [700, 32_973, 38_126, 20_000_431];

test("no fault makes an acknowledged upload lost, wrong or late, and the vault comes to rest", () => {
  const struck = new Map<string, number>();
  for (const seed of [...seeds, ...instructiveSeeds]) {
    const result = run(drawOptions(seed));
    expect(result.violations, `seed ${seed}`).toEqual([]);
    for (const [name, count] of result.counters) struck.set(name, (struck.get(name) ?? 0) + count);
  }
  // Faults that never strike prove nothing.
  for (const name of [
    "power cut",
    "process crash",
    "message lost",
    "sync failed",
    "bit rot",
    "replaced drive",
  ]) {
    expect(struck.get(name) ?? 0, name).toBeGreaterThan(0);
  }
}, 600_000);

test("the same seed gives the same run, event by event", () => {
  for (const seed of seeds.slice(0, 10)) {
    const first = run(drawOptions(seed));
    const second = run(drawOptions(seed));
    expect(second.traceHash).toBe(first.traceHash);
    expect(second).toEqual(first);
  }
}, 60_000);

test("another seed gives another run", () => {
  expect(run(drawOptions(1)).traceHash).not.toBe(run(drawOptions(2)).traceHash);
});
