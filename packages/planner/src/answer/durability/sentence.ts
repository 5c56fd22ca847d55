/** The sentences about a durability; nothing else words it. */
import { DAY_SECONDS } from "@stashlight/contracts/time/duration";
import type { StashPlanInput } from "../../sizing/types.ts";
import { bytesInWords, counted, figureInWords, secondsInWords, shareInWords } from "../../words.ts";
import type { CauseOfLoss, Durability, Nines } from "./types.ts";

type Judged = Omit<Durability, "sentences">;

export function describeDurability(input: StashPlanInput, judged: Judged): string[] {
  return [
    describeNines(input, judged),
    describeModels(input, judged),
    describeLargestCause(input, judged),
    describeTargets(input, judged),
    describeMissing(input, judged),
  ];
}

/** "11.3", "8.05": nines with a tenth, which is what assumptions are good for. */
export function ninesInWords(nines: number): string {
  return nines >= 300 ? "more than 300" : nines.toFixed(1);
}

export function ninesWithInterval({ nines, interval }: Nines): string {
  if (interval === null) return ninesInWords(nines);
  return `${ninesInWords(nines)} (${ninesInWords(interval.low)} to ${ninesInWords(interval.high)})`;
}

function describeNines(
  { ninesTarget, dataShards, parityShards }: StashPlanInput,
  { all, meetsTarget }: Judged,
): string {
  const gap = Math.abs(all.nines - ninesTarget);
  const target = meetsTarget
    ? `reaches the target of ${figureInWords(ninesTarget)}`
    : `misses the target of ${figureInWords(ninesTarget)} by ${gap < 0.05 ? "less than 0.1" : ninesInWords(gap)}`;
  return `An object stored with ${dataShards}+${parityShards} has ${ninesWithInterval(all)} nines a year, which ${target}.`;
}

function describeModels(input: StashPlanInput, { rebuildDays, chain, window }: Judged): string {
  const interval =
    chain.interval === null
      ? " The failure rate has no interval, because the failures behind it were not entered."
      : "";
  return `If drives failed only one at a time it would be ${ninesWithInterval(chain)}; the published formula, which does not count failures that straddle two rebuilds, gives ${ninesInWords(window.nines)}. A rebuild of ${bytesInWords(input.hddBytes * input.hddFill)} takes ${secondsInWords(rebuildDays * DAY_SECONDS)}.${interval}`;
}

function describeLargestCause(input: StashPlanInput, { causes, sensitivities }: Judged): string {
  const largest = causes.reduce((one, other) => (other.annualLoss > one.annualLoss ? other : one));
  const [strongest] = sensitivities;
  const change =
    strongest === undefined || strongest.nines < 0.005
      ? ""
      : ` Of changes by a tenth, "${strongest.label}" adds the most: ${strongest.nines.toFixed(2)} nines.`;
  return `${shareInWords(largest.share)} of the risk is from ${describeCause(input, largest)}.${change}`;
}

function describeCause(input: StashPlanInput, { cause }: CauseOfLoss): string {
  const { commonCauseShare, commonCauseDrives, scrubSeconds, ssdLostInCut } = input;
  switch (cause) {
    case "Independent failures":
      return "drives that fail independently of each other";
    case "Common causes":
      return `the assumption that ${shareInWords(commonCauseShare)} of failures take ${counted(commonCauseDrives, "drive")} of a group at once`;
    case "Unreadable sectors":
      return `sectors that cannot be read, at a scrub every ${secondsInWords(scrubSeconds)}`;
    case "Stash window":
      return `power cuts in which ${shareInWords(ssdLostInCut)} of stash drives are lost, before pods have flushed`;
  }
}

function describeTargets(input: StashPlanInput, { targets, meetsTarget }: Judged): string {
  const target = `${figureInWords(input.ninesTarget)} ${input.ninesTarget === 1 ? "nine" : "nines"}`;
  const { rebuildBytesPerSecond: rate, hddBytes } = targets;
  if (rate === null && hddBytes === null) {
    return `No rebuild rate and no size of HDD reaches ${target} with these causes; another scheme, or fewer common causes, would have to.`;
  }
  const by = [
    ...(rate === null ? [] : [`a rebuild of ${bytesInWords(rate)}/s`]),
    ...(hddBytes === null ? [] : [`HDDs of ${bytesInWords(hddBytes)}`]),
  ].join(" or ");
  return meetsTarget
    ? `${target} would still be reached with ${by}.`
    : `${target} would be reached with ${by}.`;
}

function describeMissing({ parityShards }: StashPlanInput, { lossWhileMissing }: Judged): string {
  const chances = lossWhileMissing.map((loss, at) => `${at + 1}: ${oddsInWords(loss)}`);
  const shown = chances.length <= 6 ? chances : [...chances.slice(0, 3), ...chances.slice(-3)];
  return `Chance of loss until all drives are whole again, by the number of a group's drives that are missing: ${shown.join(", ")}; ${parityShards + 1} lose data.`;
}

/** "1 in 40,000", two digits; from 1 in 10 on a share. */
export function oddsInWords(chance: number): string {
  if (chance > 0.99) return "more than 99 %";
  if (chance >= 0.1) return shareInWords(Number(chance.toPrecision(2)));
  const one = Number((1 / chance).toPrecision(2));
  return one >= 1e15 ? `1 in ${one.toExponential(1)}` : `1 in ${figureInWords(one)}`;
}
