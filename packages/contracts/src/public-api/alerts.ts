import { z } from "zod";
import { acknowledgeAlertsInput } from "../alert/event.ts";
import { alertSeverities } from "../alert/rule.ts";
import { alertSilenceIdInput, createAlertSilenceInput } from "../alert/silence.ts";
import { answeredAt, count, instant, instantOrNull, numberOrNull, textOrNull } from "./field-schemas.ts";

const labels = z.record(z.string(), z.string());

const alertSchema = z.object({
  ruleId: z.string(),
  rule: z.string().describe("The name of the rule."),
  severity: z.enum(alertSeverities),
  vault: z.string().describe("Empty for an alert that concerns no vault."),
  state: z.enum(["firing", "pending"]),
  sentence: z.string().describe("Sentence shown on pages and in messages."),
  value: numberOrNull.describe("Worst value; null if the latest evaluation had none."),
  unit: z.string().describe("Unit of the value; for a rate, per second."),
  n: numberOrNull.describe("Samples behind the value, where it is a percentile."),
  worst: labels.describe("The labels of the worst member."),
  memberCount: count.describe("Number of groups in this state."),
  groupCount: count.describe("Number of groups of the rule in the vault."),
  since: instant,
  evaluatedAt: instant,
  measuredAt: instantOrNull.describe(
    "End of the newest window behind the value, which is older than the evaluation; null without a value.",
  ),
  acknowledged: z.object({ by: z.string(), note: z.string(), at: instant }).nullable(),
  silencedUntil: instantOrNull,
  inhibitedBy: z.object({ ruleId: z.string(), ruleName: z.string(), reason: z.string() }).nullable(),
  url: z.string().describe("Address of its chart."),
});
export type ApiAlert = z.output<typeof alertSchema>;

export const alertsAnswer = z.object({
  answeredAt,
  alerts: z
    .array(alertSchema)
    .describe("One for each rule and vault: firing before pending, the worst first."),
});

export const acknowledgeBody = acknowledgeAlertsInput.strict();
export const acknowledgedAnswer = z.object({ answeredAt });

export const silenceBody = createAlertSilenceInput.strict();
export const silencedAnswer = z.object({ silenceId: z.string() });

export const silencePath = alertSilenceIdInput;
export const silenceEndedAnswer = z.object({ answeredAt });

export const silencesAnswer = z.object({
  answeredAt,
  silences: z
    .array(
      z.object({
        id: z.string(),
        ruleId: textOrNull,
        ruleName: textOrNull.describe("Null for every rule."),
        labels: z.record(z.string(), z.array(z.string())),
        reason: z.string(),
        createdBy: z.string(),
        createdAt: instant,
        startsAt: instant,
        endsAt: instant,
        isActive: z.boolean(),
        isMaintenance: z.boolean(),
        isWeekly: z.boolean(),
      }),
    )
    .describe("Silences and maintenance windows that are not over, the first to end first."),
});
