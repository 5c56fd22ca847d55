import fc from "fast-check";
import { expect, test } from "vitest";
import { foldAlikeDrives, machineStateSelections, machinesByNode, readMachineState } from "./machines.ts";
import { gaugeAnswer, nowMs } from "./testing.ts";

const machines = new Map([
  ["stash-1", "db-1"],
  ["stash-2", "db-1"],
  ["stash-3", "db-2"],
]);

test("six SSDs of a machine with the same latency are folded into one row", () => {
  const row = (node: string, seconds: number | null) => ({ node, seconds });
  const rows = [
    ...Array.from({ length: 6 }, (_, i) => row(i % 2 === 0 ? "stash-1" : "stash-2", 0.152)),
    row("stash-3", 0.151),
    row("stash-1", 0.004),
    row("elsewhere", null),
  ];
  const folded = foldAlikeDrives(rows, machines);
  expect(folded.map(({ slowest, machine, others }) => [slowest.seconds, machine, others.length])).toEqual([
    [0.152, "db-1", 5],
    [0.151, "db-2", 0],
    [0.004, "db-1", 0],
    [null, null, 0],
  ]);
});

test("no drive is lost, and no two rows of a machine have similar latency", () => {
  const row = fc.record({
    node: fc.constantFrom("stash-1", "stash-2", "stash-3", "elsewhere"),
    seconds: fc.option(fc.integer({ min: 1, max: 200 }).map((ms) => ms / 1_000)),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (given) => {
      const ranked = given.toSorted((a, b) => (b.seconds ?? -1) - (a.seconds ?? -1));
      const folded = foldAlikeDrives(ranked, machines);
      expect(folded.flatMap(({ slowest, others }) => [slowest, ...others])).toHaveLength(given.length);
      for (const [i, one] of folded.entries()) {
        for (const other of folded.slice(i + 1)) {
          if (one.machine === null || one.machine !== other.machine) continue;
          const { seconds: slower } = one.slowest;
          const { seconds } = other.slowest;
          if (slower !== null && seconds !== null) expect(seconds).toBeLessThan(0.9 * slower);
        }
      }
    }),
  );
});

test("a machine's state comes from the window that contains the moment", () => {
  const answers = [
    gaugeAnswer("stashlight_machine_load", [[{}, 9.6, nowMs]]),
    gaugeAnswer("stashlight_machine_pressure_ratio", [
      [{ resource: "io" }, 0.88, nowMs],
      [{ resource: "cpu" }, 0.12, nowMs - 60_000],
    ]),
  ];
  expect(readMachineState(answers, nowMs - 5_000)).toEqual({
    load: 9.6,
    processors: null,
    iowaitShare: null,
    waits: { io: 0.88, cpu: null, memory: null },
  });
});

test("nodes are found on the machine that they report, and only that machine is queried", () => {
  const answer = gaugeAnswer("stashlight_machine_load", [
    [{ node: "stash-1", machine: "db-1" }, 1],
    [{ node: "old" }, 1],
  ]);
  expect(machinesByNode(answer)).toEqual(new Map([["stash-1", "db-1"]]));
  for (const { where } of machineStateSelections("db-1")) expect(where).toEqual({ machine: ["db-1"] });
});
