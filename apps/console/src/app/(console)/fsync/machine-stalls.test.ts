import type { Stall } from "@stashlight/contracts/metrics/query";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeHostThen, describeMachineStall, foldStalls } from "./machine-stalls.ts";

const stepMs = 10_000;
const stallOf = (node: string, device: string, window: number, maxSeconds: number): Stall => ({
  node,
  device,
  vault: "local",
  modelled: null,
  isSimulated: false,
  n: 40,
  p50Seconds: 0.002,
  startMs: (window - 1) * stepMs,
  endMs: window * stepMs,
  maxSeconds,
});

const drives = Array.from({ length: 41 }, (_, i) => ({ node: `stash-${i % 4}`, device: `s${i}` }));
const machines = new Map([
  ...["stash-0", "stash-1", "stash-2", "stash-3"].map((node) => [node, "db-1"] as const),
  ["other", "db-2"] as const,
]);

test("41 drives of a machine that slow down at once are one line, with their rows below it", () => {
  const all = drives.map(({ node, device }, i) => stallOf(node, device, 7, 0.6 + i / 1_000));
  const own = stallOf("other", "s0", 7, 0.9);
  const { machines: lines, alone } = foldStalls([own, ...all], machines, drives);
  expect(alone).toEqual([own]);
  expect(lines).toHaveLength(1);
  const [line] = lines;
  if (line === undefined) throw new Error("There is a line.");
  expect(line.stalls).toEqual(all);
  expect(describeMachineStall(line, "SSD")).toBe(
    "All 41 SSDs of machine db-1 slowed at once, up to 640 ms: look at the host.",
  );
  expect(
    describeHostThen({
      load: 9.61,
      processors: 2,
      iowaitShare: 0.45,
      waits: { io: 0.88, cpu: 0.12, memory: 0 },
    }),
  ).toBe(
    "Host in that window: load 9.6 on 2 processors, iowait 45 %; its processes waited for drives 88 %, for a processor 12 %, for memory 0 % of the time.",
  );
});

test("a host without reports is not called idle", () => {
  const none = { load: null, processors: null, iowaitShare: null };
  expect(describeHostThen({ ...none, waits: { io: null, cpu: null, memory: null } })).toBe(
    "Host in that window: it reported neither load nor iowait nor pressure.",
  );
});

test("a machine that slows down repeatedly has one line that counts its windows", () => {
  const again = [3, 5, 9].flatMap((window) =>
    drives.slice(0, 30).map(({ node, device }) => stallOf(node, device, window, window / 10)),
  );
  const [line, ...others] = foldStalls(again, machines, drives).machines;
  expect(others).toEqual([]);
  expect(line && describeMachineStall(line, "HDD")).toBe(
    "30 of 41 HDDs of machine db-1 slowed at once, up to 900 ms, and in 2 more windows: look at the host.",
  );
});

test("drives that are slow one after the other stay separate", () => {
  const each = drives.map(({ node, device }, i) => stallOf(node, device, i + 1, 0.6));
  expect(foldStalls(each, machines, drives)).toEqual({ machines: [], alone: each });
});

test("drives of an unknown machine are never folded", () => {
  const all = drives.map(({ node, device }) => stallOf(node, device, 7, 0.6));
  expect(foldStalls(all, new Map(), drives).alone).toEqual(all);
});

const anyStalls = fc.array(
  fc
    .record({
      node: fc.constantFrom("a-1", "a-2", "b-1", "unknown"),
      device: fc.constantFrom("s0", "s1", "s2", "s3", "s4"),
      window: fc.integer({ min: 1, max: 6 }),
      ms: fc.integer({ min: 20, max: 2_000 }),
    })
    .map(({ node, device, window, ms }) => stallOf(node, device, window, ms / 1_000)),
  { maxLength: 80 },
);
const known = new Map([
  ["a-1", "a"],
  ["a-2", "a"],
  ["b-1", "b"],
]);

test("a machine has at most one line, and each stall is a row or below one line", () => {
  fc.assert(
    fc.property(anyStalls, (stalls) => {
      const { machines: lines, alone } = foldStalls(stalls, known, []);
      expect(new Set(lines.map(({ machine }) => machine)).size).toBe(lines.length);
      const shown = [...alone, ...lines.flatMap((line) => line.stalls)];
      expect(shown).toHaveLength(stalls.length);
      expect(new Set(shown)).toEqual(new Set(stalls));
      for (const line of lines) {
        expect(line.stalls.every(({ node }) => known.get(node) === line.machine)).toBe(true);
        expect(line.worst.maxSeconds).toBe(Math.max(...line.stalls.map(({ maxSeconds }) => maxSeconds)));
        expect(line.stalledCount).toBeLessThanOrEqual(line.driveCount);
      }
    }),
  );
});
