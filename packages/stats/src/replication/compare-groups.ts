import { requireCount, requireValues, requireWithin, StatsError } from "../error.ts";
import { holmAdjusted } from "../holm.ts";
import { rankSumTest } from "../mann-whitney.ts";
import { percentileInterval } from "../percentile-interval.ts";
import { type Random, randomIndex } from "../random.ts";
import { type Interval, median, medianOfFirst } from "../sorted.ts";

export interface CompareGroupsInput {
  /** Groups (such as providers), their hosts, and one figure per run of a host. */
  readonly groups: readonly (readonly ArrayLike<number>[])[];
  readonly random: Random;
  readonly drawCount?: number;
  readonly confidence?: number;
}

export interface GroupFigure {
  /** Median over hosts of the median over their runs. */
  readonly median: number;
  /** At the requested confidence, or the largest one that the number of hosts supports; null with one host. */
  readonly interval: Interval | null;
  readonly hostCount: number;
  /**
   * Confidence that the hosts support for the group's median, 1 - 2^(1 - hosts): the probability that they are on both
   * sides of it.
   */
  readonly confidenceMax: number;
}

export interface GroupContest {
  readonly a: number;
  readonly b: number;
  /** Two-sided p-value over hosts, adjusted for all contests by Holm's method. */
  readonly pValue: number;
  /** Largest confidence that the number of hosts supports, even for groups that do not overlap. */
  readonly confidenceMax: number;
  readonly verdict: "a-higher" | "b-higher" | "undecided" | "too-few-hosts";
}

export interface GroupComparison {
  readonly groups: readonly GroupFigure[];
  /** Every pair of groups. */
  readonly contests: readonly GroupContest[];
}

/** Levels that are equal except for rounding. */
const ROUNDING = 1e-12;

/**
 * Compares groups of hosts. Hosts are the replicates: intervals come from a bootstrap that draws hosts and then runs of
 * each, and contests are rank-sum tests over the medians of hosts. No number of runs replaces hosts: three against
 * three cannot separate groups at 95 %, so the verdict is then "too-few-hosts". Throws a `StatsError` without groups,
 * hosts or runs, if a figure is not finite, or if an option is out of bounds.
 */
export function compareGroups(input: CompareGroupsInput): GroupComparison {
  const { groups, random, drawCount = 2_000, confidence = 0.95 } = input;
  requireCount(drawCount, "The number of draws", 100, 100_000);
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  if (groups.length === 0) throw new StatsError("empty", "There are no groups.");
  const mediansOfHosts = groups.map((hosts) => {
    if (hosts.length === 0) throw new StatsError("empty", "There are no hosts in a group.");
    for (const runs of hosts) requireValues(runs, "runs of a host");
    return hosts.map((runs) => median(runs));
  });
  const figures = groups.map((hosts, i): GroupFigure => {
    const confidenceMax = 1 - 2 ** (1 - hosts.length);
    const held = Math.min(confidence, confidenceMax);
    return {
      median: median(mediansOfHosts[i] as number[]),
      interval:
        hosts.length < 2 ? null : percentileInterval(drawMedians(hosts, drawCount, random.uint32), held),
      hostCount: hosts.length,
      confidenceMax,
    };
  });
  return { groups: figures, contests: pairGroups(mediansOfHosts, confidence) };
}

/**
 * Groups have few hosts and hosts few runs, so most time is spent on medians of a handful of values: nothing is
 * allocated.
 */
function drawMedians(
  hosts: readonly ArrayLike<number>[],
  drawCount: number,
  uint32: () => number,
): Float64Array {
  const ofHosts = new Float64Array(hosts.length);
  const ofRuns = new Float64Array(Math.max(...hosts.map((runs) => runs.length)));
  const draws = new Float64Array(drawCount);
  for (let draw = 0; draw < drawCount; draw += 1) {
    for (let host = 0; host < ofHosts.length; host += 1) {
      const runs = hosts[randomIndex(uint32, hosts.length)] as ArrayLike<number>;
      for (let run = 0; run < runs.length; run += 1) {
        ofRuns[run] = runs[randomIndex(uint32, runs.length)] as number;
      }
      ofHosts[host] = medianOfFirst(ofRuns, runs.length);
    }
    draws[draw] = medianOfFirst(ofHosts, ofHosts.length);
  }
  return draws;
}

function pairGroups(groups: readonly number[][], confidence: number): GroupContest[] {
  const pairs = groups.flatMap((a, i) =>
    groups.slice(i + 1).map((b, k) => ({ a: i, b: i + 1 + k, test: rankSumTest(a, b) })),
  );
  if (pairs.length === 0) return [];
  const adjusted = holmAdjusted(pairs.map(({ test }) => test.pValue));
  return pairs.map(({ a, b, test }, i) => {
    const pValue = adjusted[i] as number;
    const smallestP = 2 / waysToChoose((groups[a] as number[]).length, (groups[b] as number[]).length);
    const confidenceMax = Math.max(0, 1 - pairs.length * smallestP);
    const higher = test.cliffsDelta > 0 ? "a-higher" : "b-higher";
    const decided = pValue <= 1 - confidence + ROUNDING ? higher : "undecided";
    const isSupported = confidenceMax >= confidence - ROUNDING;
    return { a, b, pValue, confidenceMax, verdict: isSupported ? decided : "too-few-hosts" };
  });
}

/** Number of ways to choose `countA` of all hosts. */
function waysToChoose(countA: number, countB: number): number {
  let ways = 1;
  for (let i = 1; i <= countA; i += 1) ways *= (countB + i) / i;
  return ways;
}
