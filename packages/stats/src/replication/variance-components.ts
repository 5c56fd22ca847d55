import { requireValues, StatsError } from "../error.ts";
import { arithmeticMean, squaresAround } from "../sorted.ts";

/** Values of each run of one host, such as its rate in each second. */
export type HostRuns = readonly ArrayLike<number>[];

export interface VarianceComponent {
  /** In the square of the values' unit; 0 if the estimate was negative. */
  readonly variance: number;
  /** True if the estimate was negative: the effect of the level is too small to be seen. */
  readonly wasNegative: boolean;
  readonly meanSquare: number;
  readonly degreesOfFreedom: number;
}

export interface VarianceComponents {
  readonly betweenHosts: VarianceComponent;
  /** Variance between the runs of one host. */
  readonly betweenRuns: VarianceComponent;
  readonly withinRuns: VarianceComponent;
}

/**
 * Returns the variance of each of three nested levels, by the classical analysis of variance with unequal numbers (S.
 * R. Searle, G. Casella, C. E. McCulloch, Variance Components, 1992, chapter 5 and appendix F): mean squares are
 * equated to their expected values. Values of a run count as independent; correlation of neighbouring seconds moves
 * some of the variance from within runs to between them. Throws a `StatsError` unless there are two hosts, one of them
 * with two runs and one run with two values, and if a run has no values or one is not finite.
 */
export function varianceComponents(hosts: readonly HostRuns[]): VarianceComponents {
  const { count, runCount, sums, runShare, runSquares, hostSquares } = sumSquares(hosts);
  const degrees = { hosts: hosts.length - 1, runs: runCount - hosts.length, values: count - runCount };
  requireDegrees(degrees);
  const within = sums.within / degrees.values;
  const runs = sums.runs / degrees.runs;
  const between = sums.hosts / degrees.hosts;
  const valuesOfRun = (count - runShare) / degrees.runs;
  const runEstimate = (runs - within) / valuesOfRun;
  const runsInHosts = (runShare - runSquares / count) / degrees.hosts;
  const valuesOfHost = (count - hostSquares / count) / degrees.hosts;
  const hostEstimate = (between - within - runsInHosts * runEstimate) / valuesOfHost;
  return {
    betweenHosts: toComponent(hostEstimate, between, degrees.hosts),
    betweenRuns: toComponent(runEstimate, runs, degrees.runs),
    withinRuns: toComponent(within, within, degrees.values),
  };
}

const toComponent = (estimate: number, meanSquare: number, degreesOfFreedom: number): VarianceComponent => ({
  variance: Math.max(0, estimate),
  wasNegative: estimate < 0,
  meanSquare,
  degreesOfFreedom,
});

function requireDegrees(degrees: { hosts: number; runs: number; values: number }): void {
  const missing =
    (degrees.hosts < 1 && "two hosts are needed to separate hosts") ||
    (degrees.runs < 1 && "a host with two runs is needed to separate runs") ||
    (degrees.values < 1 && "a run with two values is needed to separate values");
  if (missing !== false) throw new StatsError("too-few", `There is too little data: at least ${missing}.`);
}

/** Sums of squares of the three levels, and the sums of counts in their expected values. */
function sumSquares(hosts: readonly HostRuns[]) {
  const all = hosts.flatMap((runs) => runs.flatMap((run) => Array.from(run)));
  requireValues(all, "values");
  const mean = arithmeticMean(all);
  const sums = { hosts: 0, runs: 0, within: 0 };
  let [runCount, runShare, runSquares, hostSquares] = [0, 0, 0, 0];
  for (const runs of hosts) {
    const ofHost = runs.flatMap((run) => Array.from(run));
    requireValues(ofHost, "values of a host");
    const hostMean = arithmeticMean(ofHost);
    sums.hosts += ofHost.length * (hostMean - mean) ** 2;
    hostSquares += ofHost.length ** 2;
    for (const run of runs) {
      requireValues(run, "values of a run");
      const runMean = arithmeticMean(run);
      sums.runs += run.length * (runMean - hostMean) ** 2;
      sums.within += squaresAround(run, runMean);
      runCount += 1;
      runShare += run.length ** 2 / ofHost.length;
      runSquares += run.length ** 2;
    }
  }
  return { count: all.length, runCount, sums, runShare, runSquares, hostSquares };
}
