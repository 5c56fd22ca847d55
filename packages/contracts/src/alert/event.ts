/** Alerts that fire or have fired, and who acknowledged them. */

import { z } from "zod";
import type { MetricName } from "../metrics/catalogue.ts";
import { instantMs } from "../time/instant.ts";
import type { AlertSeverity, AlertStatus } from "./rule.ts";

export const alertEventKinds = ["firing", "joined", "acknowledged", "reminder", "resolved"] as const;

const alertIncidentPageSizeMax = 500;
export const listAlertIncidentsInput = z.object({
  fromMs: instantMs,
  toMs: instantMs,
  ruleId: z.uuid().optional(),
  pageSize: z.int().min(1).max(alertIncidentPageSizeMax).default(200),
});

/** Acknowledges the firing alerts of a rule in a vault; the vault is empty for a rule without one. */
export const acknowledgeAlertsInput = z.object({
  ruleId: z.uuid("There is no such rule."),
  vault: z.string().max(200),
  note: z.string().trim().max(500, "A note can have at most 500 characters.").default(""),
});
export const withdrawAcknowledgementInput = acknowledgeAlertsInput.omit({ note: true });

export interface FiringAlert {
  ruleId: string;
  ruleName: string;
  severity: AlertSeverity;
  status: Exclude<AlertStatus, "ok">;
  group: string;
  labels: Record<string, string>;
  /** Vault of the alert; "" if it concerns none. */
  vault: string;
  /** The rule's query, which links figures to the alerts about them. */
  watched: { metric: MetricName; isForecast: boolean; where: Partial<Record<string, string[]>> };
  /** Number of the rule's groups in this vault, firing or not. */
  groupCount: number;
  summary: string;
  /**
   * Sentence about all groups of the rule that fire in the vault, or are pending while none fires, as sent to channels.
   */
  incidentSummary: string;
  /** Latest value; from an earlier evaluation unless `hasValue`. */
  value: number | null;
  hasValue: boolean;
  /** When the last of these groups resolves if nothing changes: "ends in 2 min"; null while its condition holds. */
  incidentEnd: string | null;
  /** Samples behind the value, if it is a percentile. */
  sampleCount: number | null;
  /** Unit of the value. */
  unit: string;
  /** True for the worst of the groups in its incident's sentence. */
  isWorst: boolean;
  since: Date;
  evaluatedAt: Date;
  /** End of the newest window behind the value; null for a rule on the absence of values. */
  measuredAt: Date | null;
  /** End of the silence; null if channels are notified. */
  silencedUntil: Date | null;
  /** True if that silence is a maintenance window. */
  isInMaintenance: boolean;
  /** Rule whose alert inhibits this one, and why channels are not notified; null if they are. */
  inhibitedBy: { ruleId: string; ruleName: string; reason: string } | null;
  /** User who acknowledged it, and since when; null while unacknowledged. */
  acknowledged: { by: string; note: string; at: Date } | null;
  /** Path in the console that shows its chart, with its time. */
  path: string;
}

/** Alert counts shown in the navigation and the title of every page. */
export interface FiringCount {
  /** Number of rules that fire, counted once per vault. Silenced and inhibited ones are left out. */
  causeCount: number;
  /** Severity of the worst of them; null if there are none. */
  worst: AlertSeverity | null;
}

/** An incident of a rule in a vault: begins when the first group fires, ends when none does. */
export interface AlertIncidentRow {
  id: string;
  ruleId: string | null;
  ruleName: string;
  severity: AlertSeverity;
  /** Vault of the incident; "" if it concerns none. */
  vault: string;
  /** Sentence with the worst of its groups. */
  summary: string;
  /** Worst value in words: "p99 70 ms, n 640"; empty for a rule without a value. */
  worst: string;
  /** Number of groups that fired in it. */
  groupCount: number;
  openedAt: Date;
  /** Null while any of its groups fires. */
  endedAt: Date | null;
  /** Up to now if it has not ended. */
  lastedSeconds: number;
  /** Names of the channels whose message was delivered, is waiting, or failed. */
  notified: { delivered: string[]; waiting: string[]; failed: string[] };
  /** Reason why no channel was notified when it began: "inhibited by Node silent: node pod-1 is silent". */
  mutedBy: string | null;
  /** User who acknowledged it last, with the note; null while unacknowledged. */
  acknowledgement: string | null;
  /** Path in the console that shows its chart, with its time. */
  path: string;
}
