/**
 * Computes the answer's uncertainty: sizes the plan repeatedly with inputs drawn from their ranges (Monte Carlo; N.
 * Metropolis, S. Ulam 1949). A share of d draws is uncertain by at most 1 / sqrt(d), so 10,000 draws give it to within
 * one percentage point.
 */
import { createRandom, quantileOfSorted } from "@stashlight/stats";
import { installedPool, plannedPool, poolSuffices } from "../answer/pool.ts";
import { counted, formatDrawnShare, formatFigure } from "../format-figures.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import { type ConstraintName, constraintNames, planStash } from "../sizing/required-drives.ts";
import { copyInput, type InputDraft, writeVariable } from "../sizing/variables.ts";
import { type Bar, histogramBars } from "./bars.ts";
import { rangeQuantile, type UncertainRange } from "./ranges.ts";

export const DRAWS_DEFAULT = 10_000;
const TO_SHARE = 2 ** -32;

export interface MonteCarloOptions {
  /** Must have passed `checkStashPlanInput`; inputs without a range keep its values. */
  readonly input: StashPlanInput;
  /** Must have passed `checkRanges`. */
  readonly ranges: readonly UncertainRange[];
  /** At least 1. */
  readonly draws?: number;
  /** An integer from 0 to 2^32 - 1: the same seed gives the same answer everywhere. */
  readonly seed: number;
}

export interface Spread {
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  readonly min: number;
  readonly max: number;
}

export interface MonteCarloAnswer {
  readonly draws: number;
  readonly seed: number;
  readonly drives: Spread;
  readonly servers: Spread;
  readonly drivesForLoad: Spread;
  /** Draws by the number of servers that they need, from few to many. */
  readonly bars: readonly Bar[];
  readonly placementDecidesShare: number;
  readonly bindingShares: Readonly<Record<ConstraintName, number>>;
  /** Share of draws for which the pool of the plan suffices. */
  readonly plannedSufficesShare: number;
  /** Share of draws for which the installed pool suffices; null if nothing is installed. */
  readonly installedSufficesShare: number | null;
  readonly sentence: string;
}

export function runMonteCarlo(options: MonteCarloOptions): MonteCarloAnswer {
  const { input, ranges, draws = DRAWS_DEFAULT, seed } = options;
  const random = createRandom(seed);
  const draft = copyInput(input);
  const drives = new Float64Array(draws);
  const servers = new Float64Array(draws);
  const drivesForLoad = new Float64Array(draws);
  const bindings = Object.fromEntries(constraintNames.map((name) => [name, 0])) as Record<
    ConstraintName,
    number
  >;
  let placementCount = 0;
  const { servers: plannedServers } = planStash(input);
  let plannedCount = 0;
  let installedCount = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    for (const range of ranges) drawInto(draft, range, random.uint32() * TO_SHARE);
    const plan = planStash(draft.input);
    drives[draw] = plan.drives;
    servers[draw] = plan.servers;
    drivesForLoad[draw] = plan.drivesForLoad;
    bindings[plan.bindingConstraint] += 1;
    if (plan.decidedBy === "placement") placementCount += 1;
    if (poolSuffices(draft.input, plan, plannedPool(draft.input, plannedServers))) plannedCount += 1;
    const installed = installedPool(draft.input);
    if (installed !== null && poolSuffices(draft.input, plan, installed)) installedCount += 1;
  }
  const figures = {
    draws,
    seed,
    drives: summariseSpread(drives),
    servers: summariseSpread(servers),
    drivesForLoad: summariseSpread(drivesForLoad),
    bars: histogramBars(servers),
    placementDecidesShare: placementCount / draws,
    bindingShares: Object.fromEntries(
      constraintNames.map((name) => [name, bindings[name] / draws]),
    ) as Record<ConstraintName, number>,
    plannedSufficesShare: plannedCount / draws,
    installedSufficesShare: input.installed === null ? null : installedCount / draws,
  };
  return { ...figures, sentence: describeDraws(figures) };
}

function drawInto(draft: InputDraft, range: UncertainRange, share: number): void {
  writeVariable(draft, range.variable, rangeQuantile(range, share));
}

/** Summarises the values, which it sorts in place. */
function summariseSpread(values: Float64Array): Spread {
  values.sort();
  const at = (perMillion: number): number => quantileOfSorted(values, perMillion);
  return { p5: at(50_000), p50: at(500_000), p95: at(950_000), min: at(0), max: at(1_000_000) };
}

function describeDraws(figures: Omit<MonteCarloAnswer, "sentence">): string {
  const { drives, draws, placementDecidesShare, plannedSufficesShare, installedSufficesShare } = figures;
  const spread =
    drives.p5 === drives.p95
      ? `${counted(drives.p50, "drive")} in nine of ten draws or more`
      : `${formatFigure(drives.p5)} to ${counted(drives.p95, "drive")} in nine of ten draws, ${formatFigure(drives.p50)} in the middle`;
  const suffices = [
    `the planned pool suffices in ${formatDrawnShare(plannedSufficesShare)}`,
    ...(installedSufficesShare === null
      ? []
      : [`the installed pool in ${formatDrawnShare(installedSufficesShare)}`]),
  ].join(", ");
  return `${spread}, of ${counted(draws, "draw")}; ${suffices}; placement decides in ${formatDrawnShare(placementDecidesShare)}.`;
}
