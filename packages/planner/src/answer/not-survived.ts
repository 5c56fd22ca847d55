/**
 * Describes the failures that the pool would not survive, and the probability that a stash drive dies when it matters.
 *
 * A shard on the stash is one of two durable copies except while its pod cannot flush: when pods are away for the outage
 * of the plan (`outagesPerYear`), and while a failed HDD of a pod is replaced, which is assumed to last as long. In such a
 * time the stash holds the only durable copy of shards. With
 *
 *     times = outagesPerYear + n * hddsPerPod * hazard(hddAnnualFailureRate)       a year
 *     hazard(rate) = -ln(1 - rate)                                                 failures per drive-year, constant rate
 *     p     = 1 - exp(-hazard(ssdAnnualFailureRate) * outageSeconds / year)        one drive dies within one such time
 *     P     = 1 - exp(-times * drives * hazard(ssdAnnualFailureRate) * outageSeconds / year)
 *
 * P is the probability that in a year at least one stash drive dies while it holds only copies. That alone loses no object:
 * an acknowledged upload has n - 1 shards and needs k. Loss needs m drives at once; by the union bound it is at most
 * times * C(drives, m) * p^m a year, when all pods are away (Boole's inequality; drives fail independently of each other,
 * which firmware and power supplies do not promise).
 */

import { YEAR_SECONDS } from "@stashlight/contracts/time";
import {
  counted,
  formatChance,
  formatFigure,
  formatOutage,
  formatPlanSeconds,
  formatShare,
} from "../format-figures.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { StashPlan } from "../sizing/required-drives.ts";
import type { Pool } from "./pool.ts";
import type { PoolFigures } from "./pool-figures.ts";

export interface DriveRisk {
  /** Times a year in which the stash holds the only durable copy of shards. */
  readonly onlyCopyTimesPerYear: number;
  /** Probability that within a year a stash drive dies during one of these times. */
  readonly driveDiesPerYear: number;
  /** Upper bound: probability that in a year more drives die in one of them than an object can spare. */
  readonly objectLostPerYearMax: number;
}

export interface NotSurvived {
  /** Number of stash servers whose loss together with a power cut loses acknowledged uploads. */
  readonly serversTogether: number;
  readonly risk: DriveRisk;
  readonly sentences: readonly string[];
}

export function notSurvivedBy(input: StashPlanInput, plan: StashPlan, figures: PoolFigures): NotSurvived {
  const { pool } = figures;
  const { dataShards, parityShards } = input;
  const n = dataShards + parityShards;
  const shardsPerServer = shardsOnServer(n, plan, pool);
  // An acknowledged upload may lose q - k shards.
  const spare = n - 1 - dataShards;
  const serversTogether = Math.min(pool.servers, Math.floor(spare / shardsPerServer) + 1);
  const risk = driveRisk(input, pool);
  return {
    serversTogether,
    risk,
    sentences: [
      describeOutage(input, figures),
      `${serversTogether === 1 ? "One dead stash server" : `${serversTogether} dead stash servers`} together with a power cut: ${Math.min(n, serversTogether * shardsPerServer)} of the ${n - 1} shards that an acknowledged upload is sure to have may be there, and it can spare ${spare}.`,
      `A stash drive that dies while it holds the only durable copy of shards: ${formatChance(risk.driveDiesPerYear)} a year. The stash holds such copies ${timesAYear(risk.onlyCopyTimesPerYear)}, for ${formatPlanSeconds(input.outageSeconds)} each time. Those shards are restored from the other ${n - 2} of their uploads.`,
      `${counted(parityShards, "stash drive")} that ${parityShards === 1 ? "dies" : "die"} in one such time: uploads are lost. Upper bound: ${formatChance(risk.objectLostPerYearMax)} a year, if drives fail independently of each other.`,
    ],
  };
}

function timesAYear(times: number): string {
  const figure = formatFigure(times);
  return figure === "1" ? "once a year" : `${figure} times a year`;
}

function describeOutage(input: StashPlanInput, { pool, outageSecondsMax }: PoolFigures): string {
  if (outageSecondsMax === null) {
    return `The load of the plan: the ${pool.basis} pool does not suffice for it, even without an outage of pods.`;
  }
  return `Pods that flush nothing for ${formatOutage(outageSecondsMax)} at the plan's peak load: the ${pool.basis} pool is then ${formatShare(input.maxFill)} full, and uploads wait for the HDDs of pods.`;
}

/**
 * Maximum number of an upload's shards on one server: as the plan places them, or as an undersized installed pool must.
 */
function shardsOnServer(n: number, { shardsPerServerMax }: StashPlan, { servers }: Pool): number {
  return Math.max(shardsPerServerMax, Math.ceil(n / servers));
}

function driveRisk(input: StashPlanInput, { drives }: Pool): DriveRisk {
  const { dataShards, parityShards, outagesPerYear, hddsPerPod } = input;
  const years = input.outageSeconds / YEAR_SECONDS;
  const hdds = (dataShards + parityShards) * hddsPerPod;
  const times = outagesPerYear + hdds * hazardRate(input.hddAnnualFailureRate);
  const hazard = hazardRate(input.ssdAnnualFailureRate) * years;
  const lostInOne = combinations(drives, parityShards, -Math.expm1(-hazard));
  return {
    onlyCopyTimesPerYear: times,
    driveDiesPerYear: -Math.expm1(-times * drives * hazard),
    objectLostPerYearMax: Math.min(1, times * lostInOne),
  };
}

/** Constant rate of failures per drive-year at which this share fails within a year. */
function hazardRate(annualFailureRate: number): number {
  return -Math.log1p(-annualFailureRate);
}

/**
 * C(drives, many) * each^many, at most 1; multiplied factor by factor, so that neither part overflows or underflows.
 */
function combinations(drives: number, many: number, each: number): number {
  if (many > drives) return 0;
  let logarithm = 0;
  for (let chosen = 0; chosen < many; chosen += 1) {
    logarithm += Math.log((drives - chosen) / (chosen + 1)) + Math.log(each);
  }
  return Math.exp(Math.min(0, logarithm));
}
