import {
  type AlertCondition,
  type AlertQuery,
  type AlertRuleRow,
  alertRuleInput,
} from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { emptyForm, toRule, toRuleForm, withMetric } from "./rule-form.ts";

const used = "stashlight_stash_used_bytes";
const capacity = "stashlight_stash_capacity_bytes";
const limit = { comparison: "above", windowSeconds: 60 } as const;

const rule = (
  metric: AlertQuery["metric"],
  condition: AlertCondition,
  groupBy: AlertQuery["groupBy"] = condition.kind === "peers" ? ["node", "device"] : ["node"],
): AlertRuleRow => ({
  ...alertRuleInput.parse({
    name: "Rule",
    query: { metric, where: { device: ["s1", "s2"], node: ["stash-1"] }, groupBy },
    condition,
  }),
  id: "",
  isBuiltIn: false,
  updatedAt: new Date(0),
  evaluatedAt: null,
  lastError: null,
  sentence: "",
  groupCount: 0,
  noValueCount: 0,
  pendingCount: 0,
  firingCount: 0,
});

test.each<[string, AlertQuery["metric"], AlertCondition, string]>([
  [
    "a share",
    used,
    { kind: "threshold", statistic: "last", shareOf: capacity, threshold: 0.75, ...limit },
    "75",
  ],
  ["bytes", used, { kind: "threshold", statistic: "max", threshold: 1e9, ...limit }, "1000000000"],
  [
    "milliseconds",
    "stashlight_fsync_seconds",
    { kind: "percentile", percentile: "p99", threshold: 0.05, sampleCountMin: 1000, ...limit },
    "50",
  ],
  [
    "a multiple of the usual",
    "stashlight_fsync_seconds",
    {
      kind: "percentile",
      percentile: "p99",
      threshold: 0.05,
      sampleCountMin: 20,
      usual: { times: 3, atLeast: 0.005 },
      ...limit,
    },
    "50",
  ],
  ["a rate", "stashlight_fallbacks_total", { kind: "rate", threshold: 0.5, ...limit }, "0.5"],
  ["slow hours", "stashlight_shard_written_bytes_total", { kind: "peers", threshold: 7 }, "7"],
  [
    "an increase",
    "stashlight_fsync_errors_total",
    { kind: "threshold", statistic: "increase", threshold: 0, ...limit },
    "0",
  ],
  ["minutes", used, { kind: "time-to-full", capacityMetric: capacity, thresholdSeconds: 3600 }, "60"],
  ["absence", used, { kind: "absence", minutes: 3 }, emptyForm.threshold],
])(
  "a rule on %s shows its threshold in the form's unit and survives a round trip",
  (_, metric, condition, typed) => {
    const given = rule(metric, condition);
    const form = toRuleForm(given);
    expect(form.threshold).toBe(typed);
    expect(form.where).toBe("device=s1|s2, node=stash-1");
    expect(alertRuleInput.parse(toRule(form))).toEqual(alertRuleInput.parse({ ...given, id: undefined }));
  },
);

test("a change of the metric keeps the settings that still apply", () => {
  const form = { ...emptyForm, name: "Rule", groupBy: ["node", "stash"] as const };
  const other = withMetric({ ...form, groupBy: ["node", "stash"] }, "stashlight_fsync_seconds");
  expect(other).toMatchObject({ name: "Rule", measure: "p50", other: "", groupBy: ["node"] });
  expect(alertRuleInput.safeParse(toRule(other)).success).toBe(true);
});

test("an invalid label condition is refused", () => {
  const typed = toRule({ ...emptyForm, name: "Rule", where: "nonsense" });
  expect(alertRuleInput.safeParse(typed).success).toBe(false);
});
