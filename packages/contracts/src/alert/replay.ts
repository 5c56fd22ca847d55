/** Rules evaluated over the past, by the same evaluation as in workers. */

import { z } from "zod";
import { seriesLabel } from "../metrics/query/query.ts";
import { instantMs } from "../time/instant.ts";
import { vaultCountMax } from "../vault/vault.ts";
import { type AlertStatus, alertRuleIdInput } from "./rule.ts";

/** Span in which a group was pending or firing; ongoing if it has no end. */
export interface AlertSpan {
  status: Exclude<AlertStatus, "ok">;
  startMs: number;
  endMs: number | null;
}

/** A group of a rule over time: the values compared with its condition, and the resulting states. */
export interface EvaluatedGroup {
  group: string;
  labels: Record<string, string>;
  /** One entry per point with a value. */
  endMs: number[];
  /** In the rule's own unit: a share of 0 to 1, a rate per second, seconds to full. */
  values: number[];
  /** Samples behind a percentile; empty for other conditions. */
  n: number[];
  /** Limit learned from the group's usual value; null if the rule's threshold applies. */
  limits: (number | null)[];
  spans: AlertSpan[];
}

/** A rule replayed over stored points by the evaluation that workers run. */
export interface AlertReplay {
  /** Length of each evaluated point; a live evaluation runs every 15 s. */
  stepMs: number;
  /** Number of points with a value, over all groups. */
  sampleCount: number;
  groupCount: number;
  /** Groups that fired or came closest to it; others are left out. */
  groups: EvaluatedGroup[];
}

export const replayAlertRuleInput = alertRuleIdInput
  .extend({
    /** Selects one group, by the values of the labels by which the rule groups. */
    labels: z.partialRecord(seriesLabel, z.string().max(200)).default({}),
    /** Limits the rule to these vaults, unless it names its own. */
    vaults: z.array(z.string().max(200)).min(1).max(vaultCountMax).optional(),
    fromMs: instantMs,
    toMs: instantMs,
  })
  .refine(({ fromMs, toMs }) => toMs > fromMs, {
    path: ["toMs"],
    message: "A range must end after it begins.",
  });

export interface AlertPreview extends AlertReplay {
  fromMs: number;
  toMs: number;
  firedCount: number;
  /** Latest spans of firing. */
  episodes: { labels: Record<string, string>; startMs: number; endMs: number | null }[];
  sentence: string;
}
