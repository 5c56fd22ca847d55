/** Rules evaluated over times that are past, by the evaluation that workers run. */

import { z } from "zod";
import { seriesLabel } from "../metrics/query.ts";
import { instantMs } from "../time/instant.ts";
import { vaultCountMax } from "../vault/vault.ts";
import { type AlertStatus, alertRuleIdInput } from "./rule.ts";

/** A time in which a group was pending or firing; without an end it still is. */
export interface AlertSpan {
  status: Exclude<AlertStatus, "ok">;
  startMs: number;
  endMs: number | null;
}

/** A group of a rule over time: what its condition was held against, and where that led. */
export interface EvaluatedGroup {
  group: string;
  labels: Record<string, string>;
  /** A place for each point that had a value. */
  endMs: number[];
  /** In the rule's own unit: a share of 0 to 1, a rate a second, seconds to full. */
  values: number[];
  /** Samples that a percentile is of; empty for other conditions. */
  n: number[];
  /** The limit learned from what is usual for the group; null where the rule's threshold holds. */
  limits: (number | null)[];
  spans: AlertSpan[];
}

/** A rule replayed over stored points by the evaluation that workers run. */
export interface AlertReplay {
  /** Length of each evaluated point; a live evaluation runs every 15 s. */
  stepMs: number;
  /** Points with a value, of all groups. */
  sampleCount: number;
  groupCount: number;
  /** The groups that fired or came closest to it; the rest is left out. */
  groups: EvaluatedGroup[];
}

export const replayAlertRuleInput = alertRuleIdInput
  .extend({
    /** One group alone, by the values of the labels that the rule groups by. */
    labels: z.partialRecord(seriesLabel, z.string().max(200)).default({}),
    /** Keeps to these vaults, where the rule does not name its own. */
    vaults: z.array(z.string().max(200)).min(1).max(vaultCountMax).optional(),
    fromMs: instantMs,
    toMs: instantMs,
  })
  .refine(({ fromMs, toMs }) => toMs > fromMs, {
    path: ["toMs"],
    message: "The range ends after it begins.",
  });

export interface AlertPreview extends AlertReplay {
  fromMs: number;
  toMs: number;
  firedCount: number;
  /** The latest ones. */
  episodes: { labels: Record<string, string>; startMs: number; endMs: number | null }[];
  sentence: string;
}
