import { describeAlertState, formatMeasured, isBreached } from "@stashlight/contracts/alert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AlertPolicy, evaluate, type GroupState } from "./evaluate.ts";

const stepMs = 15_000;
const query = { metric: "stashlight_stash_used_bytes" as const };
const condition = {
  kind: "threshold" as const,
  statistic: "last" as const,
  shareOf: "stashlight_stash_capacity_bytes" as const,
  comparison: "above" as const,
  threshold: 0.8,
  windowSeconds: 60,
};

function statesAfter(policy: AlertPolicy, values: readonly (number | null)[]): GroupState[] {
  let states: readonly GroupState[] = [];
  return values.map((value, index): GroupState => {
    const nowMs = (index + 1) * stepMs;
    const samples = [{ group: "g", labels: {}, value, atMs: nowMs }];
    ({ states } = evaluate({ policy, previous: states, samples, nowMs, intervalMs: stepMs }));
    return states[0] as GroupState;
  });
}

const policy: AlertPolicy = { query, condition, forSeconds: 0, keepFiringSeconds: 120, noData: "keep" };
const describeLast = (changes: Partial<AlertPolicy>, values: readonly (number | null)[]): string => {
  const tested = { ...policy, ...changes };
  return describeAlertState(tested, statesAfter(tested, values).at(-1) as GroupState);
};

const running: Partial<AlertPolicy> = {
  query: { metric: "stashlight_drive_running" },
  condition: { kind: "threshold", statistic: "last", comparison: "below", threshold: 1, windowSeconds: 60 },
};

test.each([
  [
    "less than half of the parity",
    { figure: "spare-parity" as const, threshold: 0.5, value: 0 },
    "0 % of the parity shards to spare, less than 50 %: 10 of 20 pods are away",
  ],
  [
    "fewer nines than the target",
    { figure: "nines" as const, threshold: 11, value: 9.7 },
    "9.7 nines a year at best, fewer than 11: 10 of 20 pods are away",
  ],
  [
    "next to no nines",
    { figure: "nines" as const, threshold: 11, value: 4.82e-17 },
    "0 nines a year at best, fewer than 11: 10 of 20 pods are away",
  ],
])("an alert on %s names the figure once", (_case, { value, ...of }, expected) => {
  const rule = {
    query: { metric: "stashlight_vault_parity_shards" as const },
    condition: { kind: "durability" as const, ...of },
  };
  const evidence = { statistic: "modelled" as const, sampleCount: 20, sentence: "10 of 20 pods are away." };
  const state = {
    status: "firing" as const,
    value,
    hasValue: true,
    evidence,
    evaluatedMs: 0,
    sampleMs: 0,
    endsMs: null,
  };
  expect(describeAlertState(rule, state)).toBe(expected);
});

test.each([
  ["on a yes-or-no metric shows what the metric reports", running, [0], "reports no"],
  [
    "on a yes-or-no metric that has recovered shows when it ends",
    running,
    [0, 1],
    "reports yes now; ends in 2 min",
  ],
  [
    "on a yes-or-no metric without a value shows the last one",
    running,
    [0, null],
    "unknown for 15 s, reported no before",
  ],
  ["beyond the limit names the limit", {}, [0.95], "95 %, above 80 %"],
  ["within the limit shows when it ends", {}, [0.95, 0.101], "10.1 % now; ends in 2 min"],
  ["within the limit shows the remaining time", {}, [0.95, 0.2, 0.2, 0.101], "10.1 % now; ends in 90 s"],
  [
    "without a value shows since when, and the last value",
    { noData: "ok" as const },
    [0.95, null],
    "unknown for 15 s, 95 % before; ends in 2 min",
  ],
  [
    "that fires on missing data shows the last value",
    { noData: "alert" as const },
    [0.1, null],
    "unknown for 15 s, 10 % before",
  ],
  ["just beyond the limit shows the difference", {}, [0.80002], "80.002 %, above 80 %"],
  ["just within the limit shows the whole settling time", {}, [0.95, 0.79], "79 % now; ends in 15 min"],
  ["that ended has the last value", { keepFiringSeconds: 0 }, [0.95, 0.1], "resolved, 10 %"],
])("the sentence of an alert %s", (_case, changes, values, expected) => {
  expect(describeLast(changes, values)).toBe(expected);
});

const isBeyondLimit = ({ condition: tested }: AlertPolicy, { value, evidence }: GroupState): boolean =>
  tested.kind !== "absence" && value !== null && isBreached(tested, value, evidence?.limit);

test("the sentence of an alert never contradicts the value that it prints", () => {
  const value = fc.oneof(
    fc.constantFrom(0.8, 0.8000001, 0.7999999, null),
    fc.double({ min: 0, max: 2, noNaN: true }),
  );
  const policies = fc.record({
    query: fc.constant(query),
    condition: fc.record({
      ...Object.fromEntries(Object.entries(condition).map(([key, set]) => [key, fc.constant(set)])),
      comparison: fc.constantFrom("above" as const, "below" as const),
    }) as fc.Arbitrary<typeof condition>,
    forSeconds: fc.constantFrom(0, 30),
    keepFiringSeconds: fc.constantFrom(0, 60, 300),
    noData: fc.constantFrom("keep" as const, "ok" as const, "alert" as const),
  });
  fc.assert(
    fc.property(policies, fc.array(value, { minLength: 1, maxLength: 40 }), (tested, values) => {
      for (const state of statesAfter(tested, values)) {
        if (state.status === "ok") continue;
        const rule = tested;
        const sentence = describeAlertState(rule, state);
        expect(/no value|unknown/.test(sentence), sentence).toBe(!state.hasValue);
        expect(sentence.includes(" now"), sentence).toBe(state.hasValue && !isBeyondLimit(tested, state));
        const namesLimit = / (above|below) /.test(sentence);
        const isBeyond = isBeyondLimit(tested, state);
        expect(namesLimit && !isBeyond, sentence).toBe(false);
        expect(/; ends (in|at) /.test(sentence), sentence).toBe(state.endsMs !== null);
        const measured = state.value === null ? "no value" : formatMeasured(rule, state.value, null);
        expect(sentence).toContain(measured);
        if (namesLimit) expect(measured).not.toBe("80 %");
      }
    }),
  );
});

const slowSyncs: AlertPolicy = {
  query: { metric: "stashlight_fsync_seconds" },
  condition: {
    kind: "percentile",
    percentile: "p99",
    comparison: "above",
    threshold: 0.05,
    sampleCountMin: 20,
    windowSeconds: 300,
  },
  forSeconds: 0,
  keepFiringSeconds: 60,
  noData: "keep",
};

test.each([
  [30, "too few new samples for 30 s, p99 was 128 ms before; ends in 15 min"],
  [524, "too few new samples for 9 min, p99 was 128 ms before; ends in 7 min"],
])("an alert on a percentile without samples for %d s shows what it waits for", (seconds, expected) => {
  const evidence = { statistic: "p99" as const, sampleCount: 3777, breachedBy: "p99" as const };
  const state: GroupState = {
    group: "g",
    labels: {},
    status: "firing",
    sinceMs: 0,
    evaluatedMs: seconds * 1000,
    value: 0.128,
    hasValue: false,
    evidence,
    sampleMs: 0,
    clearSinceMs: 0,
    endsMs: 900_000,
    unevaluatedSeconds: 0,
  };
  expect(describeAlertState(slowSyncs, state)).toBe(expected);
});

test("an alert on a percentile that fires within its limit shows when it ends", () => {
  const read = fc.record({
    statistic: fc.constantFrom("p50" as const, "p90" as const, "p99" as const),
    value: fc.constantFrom(0.01, 0.049, 0.06),
    above: fc.constantFrom(0, 0.1),
  });
  fc.assert(
    fc.property(fc.array(read, { minLength: 1, maxLength: 30 }), (reads) => {
      let states: readonly GroupState[] = [];
      for (const [index, { statistic, value, above }] of reads.entries()) {
        const nowMs = (index + 1) * stepMs;
        const lower = { atMost: value + above };
        const evidence = { statistic, sampleCount: 640, ...(statistic === "p99" ? {} : lower) };
        const samples = [{ group: "g", labels: {}, value, evidence, atMs: nowMs }];
        ({ states } = evaluate({ policy: slowSyncs, previous: states, samples, nowMs, intervalMs: stepMs }));
        const state = states[0] as GroupState;
        if (state.status !== "firing" || isBeyondLimit(slowSyncs, state)) continue;
        expect(describeAlertState(slowSyncs, state)).toMatch(/ now; ends in /);
      }
    }),
  );
});
