import type { BenchmarkMark } from "@stashlight/contracts/benchmark";
import { expect, test } from "vitest";
import { benchmarksToEvents } from "./benchmark-events.ts";

const mark = (planName: string, vaults: string[]): BenchmarkMark => ({
  planId: `id of ${planName}`,
  planName,
  plannedAt: new Date("2026-11-21T12:00:00Z"),
  startedAt: new Date("2026-11-21T12:00:05Z"),
  finishedAt: new Date("2026-11-21T12:00:40Z"),
  vaults,
});
const marks = [mark("Stash against direct", ["local"]), mark("Another vault", [])];
const names = (shown: string[] | null) =>
  benchmarksToEvents(marks, shown).map(({ label }) => label.split(",", 1)[0]);

test("a benchmark lasts from its start to its end, is named after its plan and links to it", () => {
  const [event] = benchmarksToEvents(marks, null);
  expect(event).toEqual({
    timeMs: Date.UTC(2026, 10, 21, 12, 0, 5),
    label: "Benchmark: Stash against direct, took 35 s",
    status: "good",
    span: {
      endMs: Date.UTC(2026, 10, 21, 12, 0, 40),
      href: "/benchmarks/plans/id of Stash against direct",
    },
  });
});

test("a vault's charts mark the benchmarks that loaded it, and those that may have", () => {
  expect(names(null)).toEqual(["Benchmark: Stash against direct", "Benchmark: Another vault"]);
  expect(names(["local"])).toEqual(["Benchmark: Stash against direct", "Benchmark: Another vault"]);
  expect(names(["main"])).toEqual(["Benchmark: Another vault"]);
  expect(benchmarksToEvents(marks, ["main"])[0]?.label).toMatch(/; its vault is not known$/);
});
