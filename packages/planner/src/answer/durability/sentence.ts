/** The only sentences about durability. */
import { DAY_SECONDS } from "@stashlight/contracts/time";
import {
  counted,
  formatFigure,
  formatPlanBytes,
  formatPlanSeconds,
  formatShare,
} from "../../format-figures.ts";
import type { StashPlanInput } from "../../sizing/plan-types.ts";
import { drivesOfCommonCause } from "./loss.ts";
import { GENERAL_FAILURES } from "./model-rate.ts";
import type { CauseOfLoss, Durability, LossCause, Nines } from "./types.ts";

type Judged = Omit<Durability, "sentences" | "quarantine">;

export function describeDurability(input: StashPlanInput, judged: Judged): string[] {
  return [
    describeNines(input, judged),
    describeModels(input, judged),
    describeLargestCause(input, judged),
    describeTargets(input, judged),
    describeMissing(input, judged),
  ];
}

/** Formats "11.3", "8.1": nines to a tenth, as precise as the assumptions allow. */
export function ninesInWords(nines: number): string {
  return nines >= 300 ? "more than 300" : nines.toFixed(1);
}

export function ninesWithInterval({ nines, interval }: Nines): string {
  const said = ninesInWords(nines);
  const [low, high] = [ninesInWords(interval.low), ninesInWords(interval.high)];
  return low === said && high === said ? said : `${said} (${low} to ${high})`;
}

function describeNines(
  { ninesTarget, dataShards, parityShards }: StashPlanInput,
  { all, meetsTarget }: Judged,
): string {
  const gap = Math.abs(all.nines - ninesTarget);
  const target = meetsTarget
    ? `reaches the target of ${formatFigure(ninesTarget)}`
    : `misses the target of ${formatFigure(ninesTarget)} by ${gap < 0.05 ? "less than 0.1" : ninesInWords(gap)}`;
  const isOpen = all.interval.low < ninesTarget && ninesTarget <= all.interval.high;
  const doubt = isOpen ? " The interval of the failure rate includes the target." : "";
  return `An object stored with ${dataShards}+${parityShards} has ${ninesWithInterval(all)} nines a year, which ${target}.${doubt}`;
}

function describeModels(input: StashPlanInput, { rebuildDays, chain, window }: Judged): string {
  const interval =
    input.hddFailuresCounted === null
      ? ` Without the number of failures behind the rate, the interval is as wide as for ${GENERAL_FAILURES} counted failures, which is how far models of HDDs differ.`
      : "";
  const start =
    input.rebuildStartSeconds === 0
      ? ""
      : `, including ${formatPlanSeconds(input.rebuildStartSeconds)} until it begins`;
  return `With independent failures of drives alone it would be ${ninesWithInterval(chain)}; the published formula, which does not count failures that straddle two rebuilds, gives ${ninesInWords(window.nines)}. A rebuild of ${formatPlanBytes(input.hddBytes * input.hddFill)} takes ${formatPlanSeconds(rebuildDays * DAY_SECONDS)}${start}.${interval}`;
}

const findLargestCause = (causes: readonly CauseOfLoss[]): CauseOfLoss | undefined =>
  causes.toSorted((one, other) => other.annualLoss - one.annualLoss)[0];

function describeLargestCause(input: StashPlanInput, { causes, sensitivities }: Judged): string {
  const largest = findLargestCause(causes);
  if (largest === undefined || largest.share === null) {
    return "The chance of loss is too small to be split by cause.";
  }
  const [strongest] = sensitivities;
  const change =
    strongest === undefined || strongest.nines < 0.005
      ? ""
      : ` Of changes by a tenth, "${strongest.label}" adds the most: ${strongest.nines.toFixed(2)} nines.`;
  return `${formatShare(largest.share)} of the risk is from ${describeCause(input, largest)}.${change}`;
}

function describeCause(input: StashPlanInput, { cause }: CauseOfLoss): string {
  const { commonCauseShare, scrubSeconds, ssdLostInCut } = input;
  switch (cause) {
    case "Independent failures":
      return "drives that fail independently of each other";
    case "Common causes":
      return `the assumption that ${formatShare(commonCauseShare)} of failures take ${counted(drivesOfCommonCause(input), "drive")} of a group at once`;
    case "Unreadable sectors":
      return `sectors that cannot be read, at a scrub every ${formatPlanSeconds(scrubSeconds)}`;
    case "Stash window":
      return `power cuts in which ${formatShare(ssdLostInCut)} of stash drives are lost, before pods have flushed`;
  }
}

/** Remedies when neither a faster rebuild nor a smaller drive is enough. */
const REMEDIES: Record<LossCause, string> = {
  "Independent failures": "drives that fail more rarely",
  "Common causes": "fewer common causes",
  "Unreadable sectors": "more frequent scrubs",
  "Stash window": "fewer stash drives lost in power cuts",
};

function describeTargets(input: StashPlanInput, { targets, meetsTarget, causes }: Judged): string {
  const target = `${formatFigure(input.ninesTarget)} ${input.ninesTarget === 1 ? "nine" : "nines"}`;
  const { rebuildBytesPerSecond: rate, hddBytes } = targets;
  if (rate === null && hddBytes === null) {
    const { cause = "Independent failures" } = findLargestCause(causes) ?? {};
    return `No rebuild rate and no size of HDD reaches ${target} with these causes. Choose another scheme, or plan for ${REMEDIES[cause]}.`;
  }
  const by = [
    ...(rate === null ? [] : [`a rebuild at ${formatPlanBytes(rate)}/s or more`]),
    ...(hddBytes === null ? [] : [`HDDs of at most ${formatPlanBytes(hddBytes)}`]),
  ].join(", or with ");
  return `${target} would ${meetsTarget ? "still " : ""}be reached with ${by}.`;
}

function describeMissing({ parityShards }: StashPlanInput, { lossWhileMissing }: Judged): string {
  const chances = lossWhileMissing.map((loss, at) => `${oddsInWords(loss)} with ${at + 1} missing`);
  const shown = chances.length <= 6 ? chances : [...chances.slice(0, 3), ...chances.slice(-3)];
  return `Chance of loss until all drives of a group are whole again: ${shown.join(", ")}; ${parityShards + 1} missing drives lose data.`;
}

/** Formats the share of a cause; "unknown" if the whole loss is too small to represent. */
export function causeShareInWords({ share }: CauseOfLoss): string {
  if (share === null) return "unknown";
  return share < CAUSE_SHARE_MIN ? "less than 0.01 %" : formatShare(share);
}

const CAUSE_SHARE_MIN = 0.0001;

/** Formats a change of nines with its sign; no sign if it is rounded to zero. */
export function changeInWords(change: number): string {
  const figure = change.toFixed(2);
  if (Number(figure) === 0) return "0.00";
  return change > 0 ? `+${figure}` : figure;
}

/** Rarer events are beyond the models. */
const CHANCE_MIN = 1e-15;

/** Formats "1 in 40,000" with two digits; as a share from 1 in 10. */
export function oddsInWords(chance: number): string {
  if (chance > 0.99) return "more than 99 %";
  if (chance >= 0.1) return formatShare(Number(chance.toPrecision(2)));
  if (chance <= CHANCE_MIN) return "less than 1 in 1,000,000,000,000,000";
  return `1 in ${formatFigure(Number((1 / chance).toPrecision(2)))}`;
}
