/** Alerts that fire or have fired, and who looks after them. */

import { z } from "zod";
import type { MetricName } from "../metrics/index.ts";
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
  note: z.string().trim().max(500, "A note has at most 500 characters.").default(""),
});
export const withdrawAcknowledgementInput = acknowledgeAlertsInput.omit({ note: true });

export interface FiringAlert {
  ruleId: string;
  ruleName: string;
  severity: AlertSeverity;
  status: Exclude<AlertStatus, "ok">;
  group: string;
  labels: Record<string, string>;
  /** The vault that it is about; "" where it is about none. */
  vault: string;
  /** The rule's question, by which figures know that it is about them. */
  watched: { metric: MetricName; isForecast: boolean; where: Partial<Record<string, string[]>> };
  /** Number of the rule's groups in this vault, firing or not. */
  groupCount: number;
  summary: string;
  /** The sentence of all groups of the rule that fire in the vault, or wait to while none fires; as channels get it. */
  incidentSummary: string;
  /** The latest value; of an earlier evaluation unless `hasValue`. */
  value: number | null;
  hasValue: boolean;
  /** When the last of these groups resolves if nothing changes: "ends in 2 min"; null while its condition holds. */
  incidentEnd: string | null;
  /** Samples behind the value, where it is a percentile. */
  sampleCount: number | null;
  /** The unit of the value. */
  unit: string;
  /** The worst of the groups that its incident's sentence is about. */
  isWorst: boolean;
  since: Date;
  evaluatedAt: Date;
  /** End of the silence; null when channels are notified. */
  silencedUntil: Date | null;
  /** True if that silence is a maintenance window. */
  isInMaintenance: boolean;
  /** The rule whose alert this one follows from, and why channels are not notified; null when they are. */
  inhibitedBy: { ruleId: string; ruleName: string; reason: string } | null;
  /** Person who acknowledged it, and since when; null while unacknowledged. */
  acknowledged: { by: string; note: string; at: Date } | null;
  /** The part of the console that shows its chart, with its time. */
  path: string;
}

/** Alert counts shown in the navigation and the title of every page. */
export interface FiringCount {
  /** Rules that fire in a vault; one that fires in two counts twice. Silenced and inhibited ones are left out. */
  causeCount: number;
  /** The severity of the worst of them; null where there is none. */
  worst: AlertSeverity | null;
}

/** From the first group of a rule that fires in a vault until none does. */
export interface AlertIncidentRow {
  id: string;
  ruleId: string | null;
  ruleName: string;
  severity: AlertSeverity;
  /** The vault that it is about; "" where it is about none. */
  vault: string;
  /** A sentence with the worst of its groups. */
  summary: string;
  /** The worst value in words: "p99 70 ms, n 640"; empty where the rule has no value. */
  worst: string;
  /** The groups that fired in it. */
  groupCount: number;
  openedAt: Date;
  /** Null while something of it fires. */
  endedAt: Date | null;
  /** Until now where it has not ended. */
  lastedSeconds: number;
  /** The names of channels that got a message, will get one, or could not. */
  notified: { delivered: string[]; waiting: string[]; failed: string[] };
  /** Why channels were not notified as it began: "inhibited by Node silent: node pod-1 is silent". */
  mutedBy: string | null;
  /** Person who acknowledged it last, with the note; null while unacknowledged. */
  acknowledgement: string | null;
  /** The part of the console that shows its chart, with its time. */
  path: string;
}
