/**
 * Alerts: a rule repeatedly queries the metric store, and a condition on the answer decides, group by group, whether it
 * fires. Thresholds are in the metric's base unit: seconds, bytes, shards.
 */

import { z } from "zod";
import { type MetricName, metricCatalogue } from "../metrics/catalogue.ts";
import type { MetricDefinition } from "../metrics/definition.ts";
import { metricName, seriesLabel } from "../metrics/query/query.ts";
import { nameSchema } from "../name.ts";
import { DAY_SECONDS } from "../time/duration.ts";
import { durabilityFigures, durabilityMetric } from "./durability.ts";
import { peersMetric } from "./peers.ts";

export const alertSeverities = ["info", "warning", "critical"] as const;
export type AlertSeverity = (typeof alertSeverities)[number];
export const noDataChoices = ["keep", "ok", "alert"] as const;
export const alertStatuses = ["ok", "pending", "firing"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

export const alertPercentiles = ["p50", "p90", "p99", "p999", "max"] as const;
export type AlertPercentile = (typeof alertPercentiles)[number];

/** Evaluated percentile and its number of samples; with few samples it is lower than the rule's. */
export const alertEvidenceSchema = z.object({
  /** `modelled` values come with the sentence of the model. */
  statistic: z.enum([...alertPercentiles, "modelled"]),
  sentence: z.string().max(1000).optional(),
  sampleCount: z.int().min(0),
  /** Median of the same statistic over the last days, if the rule compares with it and there were enough samples. */
  usual: z.number().optional(),
  /** Limit that follows from the usual value, if it differs from the threshold. */
  limit: z.number().optional(),
  /** Largest value, if a lower percentile is evaluated instead: an upper bound of the requested one. */
  atMost: z.number().optional(),
  /** Highest percentile that breached the limit since the group became pending or firing. */
  breachedBy: z.enum(alertPercentiles).optional(),
});
export type AlertEvidence = z.infer<typeof alertEvidenceSchema>;

/** The part of a metric query that belongs to a rule; the evaluation sets its time. */
export const alertQuerySchema = z.object({
  metric: metricName,
  where: z.partialRecord(seriesLabel, z.array(z.string().max(200)).min(1).max(200)).default({}),
  groupBy: z.array(seriesLabel).max(4).default([]),
  across: z.enum(["sum", "avg", "min", "max"]).default("sum"),
});
export type AlertQuery = z.infer<typeof alertQuerySchema>;

const comparison = z.enum(["above", "below"]);
const threshold = z.number("Enter a number.");
export const alertWindowSecondsMin = 30;
/** Range of the values: at least a node's windows, and at most an hour, which raw windows cover. */
const windowSeconds = z
  .int("Enter a whole number of seconds.")
  .min(alertWindowSecondsMin, `A window must be at least ${alertWindowSecondsMin} s.`)
  .max(3600, "A window must be at most an hour.")
  .default(60);

export const alertConditionSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("threshold"),
    statistic: z.enum(["last", "avg", "min", "max", "increase"]),
    /** Divides the value by the latest one of this gauge, so that it becomes a share. */
    shareOf: metricName.optional(),
    comparison,
    threshold,
    windowSeconds,
  }),
  /** Increase of a counter per second. */
  z.object({ kind: z.literal("rate"), comparison, threshold, windowSeconds }),
  z.object({
    kind: z.literal("percentile"),
    percentile: z.enum(alertPercentiles),
    comparison,
    threshold,
    /**
     * With fewer values in the window there is no value. With enough for this but too few for the percentile, a lower
     * percentile is compared with an upper threshold.
     */
    sampleCountMin: z.int().min(1).max(1_000_000).default(1),
    windowSeconds,
    /**
     * Adds a limit: this multiple of the group's usual value, but at least `atLeast`. Without enough history only the
     * threshold applies.
     */
    usual: z
      .object({
        times: z.number("Enter a number.").min(1.1, "At least 1.1 times.").max(1_000, "At most 1,000 times."),
        atLeast: z.number("Enter a number.").min(0, "At least 0."),
      })
      .optional(),
  }),
  z.object({
    kind: z.literal("absence"),
    minutes: z
      .int("Enter a whole number of minutes.")
      .min(1, "Absence must be at least a minute.")
      .max(1440, "Absence must be at most a day."),
  }),
  /** Uses the product's own forecast, which chooses its history itself. */
  z.object({
    kind: z.literal("time-to-full"),
    capacityMetric: metricName,
    thresholdSeconds: z.number("Enter a number.").positive("The time must be positive."),
  }),
  /**
   * Uses the product's own model of a vault's durability: the upper end of the interval of its nines, or the share of
   * parity shards to spare; fires below the threshold.
   */
  z.object({ kind: z.literal("durability"), figure: z.enum(durabilityFigures), threshold }),
  /** Slow hours of the last two days by the product's own comparison of a drive with its peers; fires above the threshold. */
  z.object({ kind: z.literal("peers"), threshold }),
]);
export type AlertCondition = z.infer<typeof alertConditionSchema>;

const secondsMax = 7 * DAY_SECONDS;
const duration = (what: string) =>
  z
    .int(`${what}: enter a whole number of seconds.`)
    .min(0, `${what}: at least 0 s.`)
    .max(secondsMax, `${what}: at most 7 days.`);

const ruleFields = {
  name: nameSchema(),
  description: z.string().trim().max(1000, "At most 1,000 characters.").default(""),
  query: alertQuerySchema,
  condition: alertConditionSchema,
  forSeconds: duration("For").default(60),
  keepFiringSeconds: duration("Keep firing").default(120),
  /** Interval of reminders while an alert keeps firing; 0 for none. */
  remindSeconds: duration("Remind every")
    .refine((seconds) => seconds === 0 || seconds >= 300, "Remind every: 0 for never, or at least 300 s.")
    .default(14_400),
  noData: z.enum(noDataChoices).default("keep"),
  severity: z.enum(alertSeverities).default("warning"),
  isEnabled: z.boolean().default(true),
  channelIds: z.array(z.uuid("There is no such channel.")).max(20).default([]),
};

const metricKind = (metric: MetricName) => (metricCatalogue[metric] as MetricDefinition).kind;

/** Returns a sentence about why the metric does not support the condition; null if it does. */
function mismatch({ metric, groupBy }: AlertQuery, condition: AlertCondition): string | null {
  const kind = metricKind(metric);
  const wants = (wanted: typeof kind, what: string) =>
    kind === wanted ? null : `${what} need a ${wanted}, but ${metric} is a ${kind}.`;
  if (condition.kind === "percentile") {
    const isUpper = condition.comparison === "above" || condition.usual === undefined;
    return isUpper
      ? wants("histogram", "Percentiles")
      : "A rule that learns the usual value must compare with “above”.";
  }
  if (condition.kind === "rate") return wants("counter", "Rates");
  if (condition.kind === "time-to-full") {
    if (metricKind(condition.capacityMetric) !== "gauge") return "The capacity must be a gauge.";
    return wants("gauge", "Times to full");
  }
  if (condition.kind === "absence") return null;
  if (condition.kind === "durability") {
    if (groupBy.length !== 1 || groupBy[0] !== "vault") return "Durability is judged by vault.";
    return metric === durabilityMetric ? null : `The durability of a vault is judged by ${durabilityMetric}.`;
  }
  if (condition.kind === "peers") {
    if (groupBy.join() !== "node,device") return "Drives are compared with their peers by node and device.";
    return metric === peersMetric ? null : `A drive is compared with its peers by ${peersMetric}.`;
  }
  if (condition.statistic === "increase") return wants("counter", "Increases");
  if (condition.shareOf !== undefined && metricKind(condition.shareOf) !== "gauge") {
    return "A share needs a gauge.";
  }
  return wants("gauge", "Levels");
}

function checkRule(rule: { query: AlertQuery; condition: AlertCondition }, ctx: z.RefinementCtx): void {
  const message = mismatch(rule.query, rule.condition);
  if (message !== null) ctx.addIssue({ code: "custom", path: ["condition"], message });
}

export const alertRuleInput = z.object(ruleFields).superRefine(checkRule);
export type AlertRuleInput = z.output<typeof alertRuleInput>;
export const updateAlertRuleInput = z
  .object({ ruleId: z.uuid("There is no such rule."), ...ruleFields })
  .superRefine(checkRule);
export const alertRuleIdInput = z.object({ ruleId: z.uuid("There is no such rule.") });
export const enableAlertRuleInput = alertRuleIdInput.extend({ isEnabled: z.boolean() });

export const previewAlertRuleInput = z
  .object({
    query: ruleFields.query,
    condition: ruleFields.condition,
    forSeconds: ruleFields.forSeconds,
    keepFiringSeconds: ruleFields.keepFiringSeconds,
    noData: ruleFields.noData,
  })
  .superRefine(checkRule);
export type AlertPreviewInput = z.output<typeof previewAlertRuleInput>;

export interface AlertRuleRow extends AlertRuleInput {
  id: string;
  isBuiltIn: boolean;
  updatedAt: Date;
  evaluatedAt: Date | null;
  lastError: string | null;
  /** Rule in words: "above 75 % for 5 min". */
  sentence: string;
  /** Number of groups that the rule has seen; 0 if its metric is not reported. */
  groupCount: number;
  /** Number of groups without a value in the latest evaluation. */
  noValueCount: number;
  pendingCount: number;
  firingCount: number;
}
