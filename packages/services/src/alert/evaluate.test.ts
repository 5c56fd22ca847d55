import { hysteresisMarks } from "@stashlight/contracts/thresholds";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AlertPolicy, evaluate, type GroupState } from "./evaluate.ts";

const intervalMs = 15_000;
const labels = { device: "s1" };
const group = '["s1"]';

const above: AlertPolicy = {
  query: { metric: "stashlight_stash_live_bytes" },
  condition: { kind: "threshold", statistic: "last", comparison: "above", threshold: 10, windowSeconds: 60 },
  forSeconds: 30,
  keepFiringSeconds: 30,
  noData: "keep",
};
const absence: AlertPolicy = { ...above, condition: { kind: "absence", minutes: 1 }, forSeconds: 0 };

/** A value, "-" for none, or "away" for ten minutes without an evaluation. */
type Turn = number | "-" | "away";

/** State of the rule after each evaluation: o(k), p(ending), f(iring); a capital if an event reports the change. */
function run(policy: AlertPolicy, turns: readonly Turn[]): string {
  let states: readonly GroupState[] = [];
  let nowMs = 1_000_000;
  let told = "";
  for (const turn of turns) {
    if (turn === "away") {
      nowMs += 600_000;
      continue;
    }
    const samples = turn === "-" ? [] : [{ group, labels, value: turn, atMs: nowMs }];
    const { states: next, events } = evaluate({ policy, previous: states, samples, nowMs, intervalMs });
    const letter = next[0]?.status[0] ?? ".";
    told += events.length > 0 ? letter.toUpperCase() : letter;
    states = next;
    nowMs += intervalMs;
  }
  return told;
}

test.each<[string, Partial<AlertPolicy>, readonly Turn[], string]>([
  [
    "fires with one event once the condition has held for the rule's duration",
    {},
    [1, 20, 20, 20, 20],
    "oppFf",
  ],
  ["a value equal to the limit is not above it", {}, [10, 10, 10], "ooo"],
  ["fires at once without a duration", { forSeconds: 0 }, [20, 20], "Ff"],
  ["a short breach fires nothing", {}, [20, 20, 1, 20, 20, 1], "ppoppo"],
  [
    "resolves once the condition has not held for the keep-firing time",
    {},
    [20, 20, 20, 1, 1, 1, 1],
    "ppFffOo",
  ],
  ["flapping neither resolves nor fires again", {}, [20, 20, 20, 1, 20, 1, 1, 20, 1, 20], "ppFfffffff"],
  [
    "resolves at once without a keep-firing time",
    { forSeconds: 0, keepFiringSeconds: 0 },
    [20, 1, 20, 1],
    "FOFO",
  ],
  ["no value keeps the state", {}, [20, 20, 20, "-", "-", "-", "-"], "ppFffff"],
  ["time without values does not count as held", {}, [20, "-", "-", "-", 20, 20], "pppppF"],
  [
    'a missing value resolves a rule with noData "ok"',
    { noData: "ok" },
    [20, 20, 20, "-", "-", "-"],
    "ppFffO",
  ],
  ['a missing value fires a rule with noData "alert"', { noData: "alert" }, [1, "-", "-", "-", "-"], "oppFf"],
  ["the duration starts over after a pause of the evaluator", {}, [20, 20, "away", 20, 20, 20], "ppppF"],
  [
    "a group that fired before a pause still fires, without another event",
    {},
    [20, 20, 20, "away", 20],
    "ppFf",
  ],
  ["the keep-firing time starts over after a pause", {}, [20, 20, 20, 1, "away", 1, 1, 1], "ppFfffO"],
])("a rule follows its values: %s", (_, changes, turns, expected) => {
  expect(run({ ...above, ...changes }, turns)).toBe(expected);
});

test.each<[string, readonly Turn[], string]>([
  ["fires when there has been no value for a minute", [1, "-", "-", "-", "-", "-"], "ooooFf"],
  ["fires until values have returned for the keep-firing time", [1, "-", "-", "-", "-", 1, 1, 1], "ooooFffO"],
  ["does not count time without evaluations", [1, "away", "-", "-", "-", "-", "-"], "oooooF"],
  ["keeps firing after a pause in evaluation", [1, "-", "-", "-", "-", "away", "-"], "ooooFf"],
])("absence %s", (_, turns, expected) => {
  expect(run(absence, turns)).toBe(expected);
});

test("groups are evaluated independently", () => {
  const sample = (device: string, value: number) => ({
    group: JSON.stringify([device]),
    labels: { device },
    value,
    atMs: 0,
  });
  const policy = { ...above, forSeconds: 0 };
  const { states, events } = evaluate({
    policy,
    previous: [],
    samples: [sample("s1", 20), sample("s2", 1)],
    nowMs: 0,
    intervalMs,
  });
  expect(states.map(({ status }) => status)).toEqual(["firing", "ok"]);
  expect(events).toMatchObject([{ kind: "firing", state: { labels: { device: "s1" }, value: 20 } }]);
});

test("a group that is no longer expected is resolved and forgotten", () => {
  const firing = evaluate({
    policy: { ...above, forSeconds: 0 },
    previous: [],
    samples: [{ group, labels, value: 20, atMs: 0 }],
    nowMs: 0,
    intervalMs,
  });
  const { states, events } = evaluate({
    policy: above,
    previous: firing.states,
    samples: [{ group, labels, value: 20, atMs: intervalMs }],
    nowMs: intervalMs,
    intervalMs,
    isGone: ({ device }) => device === "s1",
  });
  expect(states).toEqual([]);
  expect(events).toMatchObject([{ kind: "resolved", state: { status: "ok" } }]);
});

test.each([
  [
    "below",
    { kind: "threshold", statistic: "min", comparison: "below", threshold: 3, windowSeconds: 60 },
    2,
    4,
  ],
  [
    "time to full",
    {
      kind: "time-to-full",
      capacityMetric: "stashlight_stash_capacity_bytes",
      thresholdSeconds: 3600,
    },
    60,
    7200,
  ],
  [
    "percentile",
    {
      kind: "percentile",
      percentile: "p99",
      comparison: "above",
      threshold: 1,
      sampleCountMin: 1,
      windowSeconds: 60,
    },
    2,
    0.5,
  ],
] as const)("a condition distinguishes good from bad values: %s", (_, condition, breaching, well) => {
  const policy: AlertPolicy = { ...above, condition, forSeconds: 0, keepFiringSeconds: 0 };
  expect(run(policy, [well, breaching, well])).toBe("oFO");
});

/** Counts how often the rule fires for these values, one per evaluation. */
const countFirings = (policy: AlertPolicy, values: readonly number[]): number =>
  run(policy, values).split("F").length - 1;

test("a value that hovers around the limit fires once, on either side of it", () => {
  const settleTurns = (hysteresisMarks.settleSeconds * 1000) / intervalMs;
  const near = fc.double({ min: 9.01, max: 11, noNaN: true });
  // Within the limit for less than the time to settle, then beyond it again.
  const wave = fc.tuple(
    fc.array(near, { maxLength: settleTurns - 2 }),
    fc.double({ min: 10.01, max: 40, noNaN: true }),
  );
  const policies = fc.record({ forSeconds: fc.constant(0), keepFiringSeconds: fc.constantFrom(0, 60, 120) });
  fc.assert(
    fc.property(policies, fc.array(wave, { minLength: 1, maxLength: 12 }), (changes, waves) => {
      const values = [20, ...waves.flatMap(([hovering, beyond]) => [...hovering, beyond])];
      expect(countFirings({ ...above, ...changes }, values)).toBe(1);
    }),
  );
});

test("a latency that swings across the margin fires once if each recovery is shorter than the keep-firing time", () => {
  const policy = { ...above, forSeconds: 0, keepFiringSeconds: hysteresisMarks.settleSeconds };
  const recovered = Array.from({ length: 32 }, () => 1);
  expect(countFirings(policy, [20, ...recovered, 20, ...recovered, 20, ...recovered])).toBe(1);
});

test.each<[string, readonly Turn[], string]>([
  ["that is clear of the limit resolves after the keep-firing time", [20, 8.9, 8.9, 8.9], "FffO"],
  [
    "within the margin takes 15 minutes",
    [20, ...Array.from({ length: 61 }, () => 9.5)],
    `F${"f".repeat(60)}O`,
  ],
  [
    "that leaves the margin resolves after the keep-firing time from then on",
    [20, 9.5, 9.5, 1, 1, 1],
    "FffffO",
  ],
  ["that comes back into the margin settles there", [20, 1, 9.5, 9.5, 9.5, 9.5], "Ffffff"],
])("a value %s", (_, turns, expected) => {
  expect(run({ ...above, forSeconds: 0 }, turns)).toBe(expected);
});

test("a yes-or-no value has no margin: a drive that runs again resolves after the keep-firing time", () => {
  const condition = { ...above.condition, comparison: "below", threshold: 1 } as AlertPolicy["condition"];
  const query = { metric: "stashlight_drive_running" } as const;
  expect(run({ ...above, query, condition, forSeconds: 0 }, [0, 1, 1, 1])).toBe("FffO");
});

const latency: AlertPolicy = {
  ...above,
  query: { metric: "stashlight_fsync_seconds" },
  condition: {
    kind: "percentile",
    percentile: "p99",
    comparison: "above",
    threshold: 10,
    sampleCountMin: 20,
    windowSeconds: 300,
  },
  forSeconds: 0,
  keepFiringSeconds: 0,
  noData: "ok",
};
/** A percentile with its value and, if it is lower than p99, the greatest value. */
test("a group that fires before and after a pause counts the pause, until it fires anew", () => {
  let states: readonly GroupState[] = [];
  const seconds: (number | undefined)[] = [];
  const turns: [afterMs: number, value: number][] = [
    [intervalMs, 20],
    [60 * 60_000, 20],
    [4 * intervalMs, 20],
    [30 * 60_000, 20],
    [intervalMs, 1],
    [intervalMs, 1],
    [intervalMs, 20],
  ];
  let nowMs = 0;
  for (const [afterMs, value] of turns) {
    nowMs += afterMs;
    const samples = [{ group, labels, value, atMs: nowMs }];
    const tested = { ...above, forSeconds: 0, keepFiringSeconds: 0 };
    ({ states } = evaluate({ policy: tested, previous: states, samples, nowMs, intervalMs }));
    seconds.push(states[0]?.unevaluatedSeconds);
  }
  expect(seconds).toEqual([0, 3_600, 3_600, 5_400, 5_400, 0, 0]);
});

type Read = readonly ["p50" | "p90" | "p99", value: number, atMost?: number];

function runPercentiles(reads: readonly Read[], policy = latency): string {
  let states: readonly GroupState[] = [];
  return reads
    .map(([statistic, value, atMost], index) => {
      const nowMs = (index + 1) * intervalMs;
      const evidence = {
        statistic,
        sampleCount: 100,
        ...(atMost === undefined ? {} : { atMost }),
      };
      const samples = [{ group, labels, value, evidence, atMs: nowMs }];
      ({ states } = evaluate({ policy, previous: states, samples, nowMs, intervalMs }));
      return states[0]?.status[0] ?? ".";
    })
    .join("");
}

test.each<[string, readonly Read[], string]>([
  [
    "p99 within the limit ends what p99 began",
    [
      ["p99", 20],
      ["p99", 1],
    ],
    "fo",
  ],
  [
    "p90 within the limit does not end what p99 began",
    [
      ["p99", 20],
      ["p90", 1, 30],
      ["p90", 1, 30],
    ],
    "fff",
  ],
  [
    "p50 within the limit does not end what p90 began",
    [
      ["p90", 20, 30],
      ["p50", 1, 30],
    ],
    "ff",
  ],
  [
    "p90 within the limit ends what p90 began",
    [
      ["p90", 20, 30],
      ["p90", 1, 30],
    ],
    "fo",
  ],
  [
    "a greatest value within the limit ends it, as p99 is no greater",
    [
      ["p99", 20],
      ["p90", 1, 5],
    ],
    "fo",
  ],
  [
    "p90 that was beyond too does not make p90 enough",
    [
      ["p99", 20],
      ["p90", 20, 30],
      ["p90", 1, 30],
      ["p99", 1],
    ],
    "fffo",
  ],
  [
    "a group that is well stays so",
    [
      ["p90", 1, 30],
      ["p90", 1, 30],
    ],
    "oo",
  ],
])("a percentile is judged by its samples: %s", (_, reads, expected) => {
  expect(runPercentiles(reads)).toBe(expected);
});

test("an alert that began by p99 settles for 15 minutes while there are too few samples for p99", () => {
  const settling = Array.from({ length: 70 }, (): Read => ["p90", 1, 30]);
  const found = runPercentiles([["p99", 20], ...settling]);
  expect(found.indexOf("o")).toBe(1 + (hysteresisMarks.settleSeconds * 1000) / intervalMs);
});

test("a group that is pending by p99 stays pending while there are too few samples for p99", () => {
  const reads: Read[] = [
    ["p99", 20],
    ["p90", 1, 30],
    ["p90", 1, 30],
    ["p99", 20],
    ["p99", 20],
    ["p99", 20],
  ];
  expect(runPercentiles(reads, { ...latency, forSeconds: 30 })).toBe("ppppff");
});
