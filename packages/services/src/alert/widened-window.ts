/**
 * Reads the values by which a rule is evaluated. If the rule's window has too few samples, a percentile that exceeded
 * the limit cannot be shown to be within it; such groups are read again over the longest window that raw measurements
 * allow.
 */
import { isUndecided } from "@stashlight/contracts/alert/breach";
import type { AlertCondition, AlertQuery } from "@stashlight/contracts/alert/rule";
import { silenceOfLabels, type VaultSilence } from "@stashlight/contracts/node/silence";
import { HOUR_SECONDS } from "@stashlight/contracts/time/duration";
import type { WithMerger } from "../metrics/query/merger.ts";
import { readDurabilitySamples } from "./durability-sample.ts";
import { type GroupState, needsMoreSamples, type Sample } from "./evaluate.ts";
import { readPeerSamples } from "./peers-sample.ts";
import { readSamples } from "./sample.ts";
import { type UsualsByGroup, withUsual } from "./usual-values.ts";

interface JudgedRule {
  readonly query: AlertQuery;
  readonly condition: AlertCondition;
  readonly usuals: UsualsByGroup;
  /** A silent group has no value, because its newest one is outdated. */
  readonly silences: readonly VaultSilence[];
}

/** Raw windows are retained for at least this long. */
const WIDENED_SECONDS = HOUR_SECONDS;

/** Returns the values at a moment, each with the limit that follows from its group's usual value. */
export async function readJudgedSamples(
  platform: WithMerger,
  { query, condition, usuals, silences }: JudgedRule,
  nowMs: number,
): Promise<Sample[]> {
  const samples = await readConditionSamples(platform, { query, condition }, nowMs);
  const silentNodes = new Set(silences.flatMap(({ nodes }) => nodes));
  const isSilent = ({ labels, nodes = [] }: Sample): boolean =>
    condition.kind !== "absence" &&
    (silenceOfLabels(labels, silences) !== null ||
      (nodes.length > 0 && nodes.every((node) => silentNodes.has(node))));
  return samples.map((sample) => ({
    ...sample,
    value: isSilent(sample) ? null : sample.value,
    evidence: withUsual(condition, sample.evidence ?? null, usuals.get(sample.group)),
  }));
}

function readConditionSamples(
  platform: WithMerger,
  { query, condition }: Pick<JudgedRule, "query" | "condition">,
  nowMs: number,
): Promise<Sample[]> {
  if (condition.kind === "durability") return readDurabilitySamples(platform, { query, condition }, nowMs);
  if (condition.kind === "peers") return readPeerSamples(platform, { query, condition }, nowMs);
  return readSamples(platform, { query, condition }, nowMs);
}

/** Replaces a value by that of the last hour if the window has too few samples to end what a percentile began. */
export async function widenUndecided(
  platform: WithMerger,
  rule: JudgedRule,
  previous: readonly GroupState[],
  samples: readonly Sample[],
  nowMs: number,
): Promise<readonly Sample[]> {
  const { condition } = rule;
  if (condition.kind !== "percentile") return samples;
  // A pending group waits for samples instead: the last hour may be high only because of the minute to be confirmed.
  const states = new Map(
    previous.filter(({ status }) => status === "firing").map((state) => [state.group, state]),
  );
  const isHeld = ({ group, value, evidence = null }: Sample): boolean =>
    value !== null &&
    isUndecided(condition, value, evidence) &&
    needsMoreSamples(states.get(group) ?? null, evidence);
  if (!samples.some(isHeld)) return samples;
  const wider = { ...rule, condition: { ...condition, windowSeconds: WIDENED_SECONDS } };
  const widened = new Map(
    (await readJudgedSamples(platform, wider, nowMs)).map((sample) => [sample.group, sample]),
  );
  return samples.map((sample) => {
    const wide = isHeld(sample) ? widened.get(sample.group) : undefined;
    if (!wide?.evidence) return sample;
    return { ...wide, evidence: { ...wide.evidence, widenedSeconds: WIDENED_SECONDS } };
  });
}
