/** Reads the values that a rule is judged by, from its own window alone: earlier load proves nothing about a drive now. */
import type { AlertCondition, AlertQuery } from "@stashlight/contracts/alert";
import { silenceOfLabels, type VaultSilence } from "@stashlight/contracts/node";
import type { WithMerger } from "../metrics/query/merger.ts";
import { readDurabilitySamples } from "./durability-sample.ts";
import type { Sample } from "./evaluate.ts";
import { readPeerSamples } from "./peers-sample.ts";
import { isPresenceRule, readPresenceSamples } from "./presence-sample.ts";
import { readSamples } from "./sample.ts";
import { type UsualsByGroup, withUsual } from "./usual-values.ts";

interface JudgedRule {
  readonly query: AlertQuery;
  readonly condition: AlertCondition;
  readonly usuals: UsualsByGroup;
  /** The groups of silent nodes have no value, because their newest one is old. */
  readonly silences: readonly VaultSilence[];
}

/** Returns the values at a moment, each with the limit that follows from the usual value of its group. */
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
  if (isPresenceRule(query, condition)) return readPresenceSamples(platform, nowMs);
  return readSamples(platform, { query, condition }, nowMs);
}
