import { alertRuleInput, formatMeasured, isBreached } from "@stashlight/contracts/alert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AlertPolicy, evaluate, type GroupState } from "./evaluate.ts";
import { type StoredRule, storedTerms } from "./rule-rows.ts";
import { describeGroups, describeWorstMember, messageOfEnd, messageOfGroups, summarise } from "./summary.ts";

const input = alertRuleInput.parse({
  name: "Stash full",
  query: { metric: "stashlight_stash_used_bytes", groupBy: ["node", "device"] },
  condition: {
    kind: "threshold",
    statistic: "last",
    shareOf: "stashlight_stash_capacity_bytes",
    comparison: "above",
    threshold: 0.8,
    windowSeconds: 60,
  },
  forSeconds: 0,
});
const at = new Date(0);
const rule: StoredRule = {
  id: "11111111-1111-4111-8111-111111111111",
  builtInKey: null,
  lastError: null,
  createdAt: at,
  updatedAt: at,
  evaluatedAt: null,
  usualAt: null,
  ...storedTerms(input),
} as StoredRule;
const policy: AlertPolicy = input;
const place = { vault: "photos", groupCount: 4 };
const intervalMs = 15_000;

const deviceLabels = (device: string) => ({ node: "n1", device });

/** Returns the groups that fire after these values of each drive, one per evaluation. */
function firingAfter(
  turns: readonly (readonly (number | null)[])[],
  noData: AlertPolicy["noData"],
): GroupState[] {
  let states: readonly GroupState[] = [];
  turns.forEach((turn, index) => {
    const nowMs = (index + 1) * intervalMs;
    const samples = turn.map((value, drive) => {
      const labels = deviceLabels(`s${drive}`);
      return { group: JSON.stringify(Object.values(labels)), labels, value, atMs: nowMs };
    });
    ({ states } = evaluate({ policy: { ...policy, noData }, previous: states, samples, nowMs, intervalMs }));
  });
  return states.filter(({ status }) => status === "firing");
}

test("page, message and API share one sentence, which names the limit only for a value beyond it", () => {
  const value = fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: null });
  const turns = fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 20 });
  const noData = fc.constantFrom("keep" as const, "ok" as const, "alert" as const);
  fc.assert(
    fc.property(turns, noData, (values, missing) => {
      const firing = firingAfter(values, missing);
      const [only] = firing;
      if (only === undefined) return;
      const sentence = describeGroups(rule, firing, place);
      const message = messageOfGroups(rule, firing, place);
      expect(message?.summary ?? sentence).toBe(sentence);
      if (firing.length === 1) expect(sentence).toBe(summarise(rule, only));
      else expect(sentence).toContain(`: ${firing.length} of 4 drives`);
      const breaching = firing.filter(
        (state) =>
          state.hasValue && state.value !== null && isBreached(input.condition as never, state.value),
      );
      expect(/above 80 %/.test(sentence), sentence).toBe(breaching.length > 0);
      if (breaching.length === 0) return;
      const worst = Math.max(...breaching.map((state) => state.value ?? 0));
      expect(sentence).toContain(formatMeasured(input, worst, null));
    }),
  );
});

test("a message counts late joiners, and the message about the end counts all groups of the incident", () => {
  const firing = firingAfter([[0.9, 0.95, null]], "keep");
  expect(messageOfGroups(rule, firing, place, 1)?.summary).toBe(
    "Stash full (vault photos, node n1): 2 of 4 drives, 1 of them new, above 80 %; worst 95 % (device s1).",
  );
  const groups = ["s0", "s1", "s2"].map((device) => JSON.stringify(Object.values(deviceLabels(device))));
  const ended = messageOfEnd(rule, groups, { vault: "photos", unevaluatedSeconds: 0 });
  expect(ended?.summary).toBe("Stash full (vault photos, node n1): resolved, 3 drives had fired.");
  expect(ended?.groups.map(({ labels }) => labels.device)).toEqual(["s0", "s1", "s2"]);
  expect(messageOfEnd(rule, groups.slice(1, 2), { vault: "photos", unevaluatedSeconds: 0 })).toBeNull();
});

test("every sentence of an alert names the time in which nothing evaluated it", () => {
  const paused = firingAfter([[0.9, 0.95]], "keep").map((state) => ({ ...state, unevaluatedSeconds: 3_481 }));
  const [first] = paused;
  const pause = "; not evaluated for 58 min since it began.";
  expect(first && summarise(rule, first)).toBe(`Stash full (node n1, device s0): 90 %, above 80 %${pause}`);
  expect(describeGroups(rule, paused, place)).toMatch(
    /worst 95 % \(device s1\); not evaluated for 58 min since/,
  );
  expect(
    messageOfEnd(
      rule,
      ["n1", "s1"].map((name) => JSON.stringify([name, name])),
      {
        vault: "photos",
        unevaluatedSeconds: 3_481,
      },
    )?.summary,
  ).toContain(`had fired${pause}`);
});

test("an incident ends with the last of its groups, whichever is the worst", () => {
  const clear = [0.2, 0.2, 0.2];
  const sentence = (...turns: (readonly number[])[]) => describeGroups(rule, firingAfter(turns, "ok"), place);
  const all = [0.9, 0.9, 0.9];
  // The first drive has been clear for 30 s longer than the others.
  expect(sentence(all, [0.2, 0.9, 0.9], [0.2, 0.9, 0.9], clear)).toBe(
    sentence(all, all, all, clear).replace(/worst (.*) now/, "worst 20 % now"),
  );
});

test("the worst of an incident is its worst value, except for a yes-or-no rule", () => {
  const worst = { group: "[]", value: 0, evidence: null };
  const query = { metric: "stashlight_drive_running", groupBy: ["node", "device"] };
  const below = { kind: "threshold", statistic: "last", comparison: "below", threshold: 1 };
  const condition = { ...below, windowSeconds: 60 };
  const ofDrives = alertRuleInput.parse({ ...input, query, condition });
  expect(describeWorstMember(rule, { ...worst, value: 0.9 })).toBe("90 %");
  expect(describeWorstMember({ ...rule, ...storedTerms(ofDrives) } as StoredRule, worst)).toBe("");
});
