import {
  alertConditionSchema,
  alertEventKinds,
  alertEvidenceSchema,
  alertPercentiles,
  alertQuerySchema,
  alertSeverities,
  alertStatuses,
  alertWindowSecondsMin,
  noDataChoices,
} from "@stashlight/contracts/alert";
import type { MetricName } from "@stashlight/contracts/metrics";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

/** One message for several groups. */
const message = z.object({
  summary: z.string(),
  /** Labels that the groups have in common. */
  labels: z.record(z.string(), z.string()),
  /** Worst value among the groups. */
  value: z.number().nullable(),
  groupCount: z.int(),
  /** The first few groups. */
  groups: z.array(z.object({ labels: z.record(z.string(), z.string()), value: z.number().nullable() })),
});

/** A metric may have left the catalogue since. Its rule is still listed, and its evaluation reports the problem. */
const storedMetric = z.custom<MetricName>((value) => typeof value === "string", "It names no metric.");
/** Labels that the series of a group have in common. */
const labels = z.record(z.string(), z.string());
/**
 * Earlier releases allowed windows of 15 s. A rule with such a window is evaluated over the shortest one allowed now.
 */
const shortWindow = z.looseObject({ windowSeconds: z.number().lt(alertWindowSecondsMin) });

export const alertRuleColumns = {
  query: jsonColumn("alert_rule.query", alertQuerySchema.extend({ metric: storedMetric })),
  condition: jsonColumn("alert_rule.condition", alertConditionSchema, (stored) => {
    const { data } = shortWindow.safeParse(stored);
    return data === undefined ? stored : { ...data, windowSeconds: alertWindowSecondsMin };
  }),
  noData: wordColumn("alert_rule.no_data", noDataChoices),
  severity: wordColumn("alert_rule.severity", alertSeverities),
};

export const alertStateColumns = {
  labels: jsonColumn("alert_state.labels", labels),
  status: wordColumn("alert_state.status", alertStatuses),
  evidence: jsonColumn("alert_state.evidence", alertEvidenceSchema),
};

export const alertUsualColumns = {
  /** Usual values by percentile. */
  usuals: jsonColumn("alert_usual.usuals", z.partialRecord(z.enum(alertPercentiles), z.number())),
};

export const alertIncidentColumns = {
  severity: wordColumn("alert_incident.severity", alertSeverities),
};

export const alertEventColumns = {
  labels: jsonColumn("alert_event.labels", labels),
  severity: wordColumn("alert_event.severity", alertSeverities),
  kind: wordColumn("alert_event.kind", alertEventKinds),
  message: jsonColumn("alert_event.message", message),
};

export const alertSilenceColumns = {
  /** Label values that a silence matches, by label name. */
  labels: jsonColumn("alert_silence.labels", z.record(z.string(), z.array(z.string()))),
};
