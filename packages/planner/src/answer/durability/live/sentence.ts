/** The sentences about a vault's live durability: pages, commands, alerts and the API show only these. */
import { formatFigure, formatPlanBytes, formatShare } from "../../../format-figures.ts";
import { generalRate, PUBLISHED_FAILURES_MAX } from "../model-rate.ts";
import { ninesInWords, oddsInWords } from "../sentence.ts";
import { liveAssumptions } from "./assumptions.ts";
import type { Estimate, KnownDurability, LiveDurability, MissingPods } from "./judge-live-durability.ts";

/**
 * One sentence about the present: "2 of 20 missing: whole again in 5 h 20 min (4 h to 8 h); ...", or the nines of whole
 * pods.
 */
export function describeLiveDurability(judged: LiveDurability): string {
  if (judged.kind === "unknown") return `Durability is unknown: ${judged.reason}.`;
  const { missing, dataShards, parityShards } = judged;
  if (missing === null) {
    const { value, interval } = judged.nines;
    return `All ${dataShards + parityShards} pods hold all their shards: ${withInterval({ value, interval }, ninesInWords, " nines a year")}.`;
  }
  if (missing.count > parityShards) {
    const end = missing.awayCount === 0 ? "shards are restored" : "pods are back";
    return `${countAway(missing)}, and ${dataShards}+${parityShards} tolerates ${parityShards}: objects that lack ${parityShards + 1} shards cannot be read until ${end}.`;
  }
  const chance = withInterval(missing.chance, oddsInWords);
  const whole = withInterval(missing.secondsLeft, timeInWords);
  return `${countMissing(missing)}: whole again in ${whole}; chance of loss until then ${chance}; ${describeNext(missing, parityShards)}.`;
}

/** Describes how to shorten the time until all shards are whole; null if nothing is missing or nothing can be done. */
export function describeRemedy({ missing }: KnownDurability): string | null {
  if (missing === null || missing.remedy === null) return null;
  const { kind, rate, chance } = missing.remedy;
  const odds = oddsInWords(chance);
  if (odds === oddsInWords(missing.chance.value)) return null;
  return kind === "replace"
    ? `Bring the pods back or replace their drives now, without waiting ${timeInWords(liveAssumptions.rebuildStartSeconds)}: ${odds}.`
    : `Raise the rebuild to ${formatPlanBytes(rate)}/s with vault rebuild --rate: ${odds}. Uploads get slower meanwhile; by how much is not measured.`;
}

/** Lists the assumptions behind the figures, the most influential first. */
export function describeAssumptions(judged: KnownDurability): string[] {
  const { commonCauseShare, commonCauseDrives, rebuildStartSeconds } = liveAssumptions;
  return [
    `${formatShare(commonCauseShare)} of failures take ${commonCauseDrives} drives at once.`,
    `A rebuild begins ${timeInWords(rebuildStartSeconds)} after a drive fails; a pod that is away counts as failed.`,
    `Drives fail as often as their model was published to, counted like at most ${PUBLISHED_FAILURES_MAX} failures; the fleet's own are added. Without published counts ${formatShare(generalRate.value)} of drives fail a year (${generalRate.source}). Age is not considered.`,
    `A drive with a SMART warning fails ${liveAssumptions.suspectTimes} times as often (Pinheiro et al., FAST 2007).`,
    `Sectors become unreadable at the rate of datasheets: 1 in 10^15 bits a year.`,
    `${formatFigure(liveAssumptions.powerCutsPerYear)} power cuts a year, in each of which ${formatShare(liveAssumptions.ssdLostInCut)} of stash drives are lost.`,
    ...(judged.rate.source === "measured"
      ? []
      : [
          judged.rate.source === "limit"
            ? "No rebuild has been measured yet; this assumes that rebuilds run at the vault's limit."
            : `A rebuild restores ${formatPlanBytes(judged.rate.value)}/s; none has been measured yet.`,
        ]),
  ];
}

const countMissing = ({ count, podCount }: MissingPods): string => `${count} of ${podCount} missing`;

function countAway({ count, podCount, awayCount }: MissingPods): string {
  const how = awayCount === count ? "are away" : awayCount === 0 ? "lack shards" : "are away or lack shards";
  return `${count} of ${podCount} pods ${how}`;
}

function describeNext({ count, chanceAfterNext }: MissingPods, parityShards: number): string {
  const fatal = withArticle(ordinal(parityShards + 1));
  if (chanceAfterNext === null) return `${fatal} loses data`;
  return `${withArticle(ordinal(count + 1))} failure would make it ${oddsInWords(chanceAfterNext)}; ${fatal} loses data`;
}

function withInterval({ value, interval }: Estimate, inWords: (value: number) => string, unit = ""): string {
  const [said, low, high] = [value, interval?.low ?? value, interval?.high ?? value].map(inWords);
  return low === said && high === said ? `${said}${unit}` : `${said}${unit} (${low} to ${high})`;
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

/** Formats in the two largest units: "5 h 20 min", "2 d 3 h", "45 s". */
export function timeInWords(seconds: number): string {
  const at = UNITS.findIndex(([size]) => seconds >= size);
  if (at === -1) return "less than 1 s";
  const smallest = UNITS[at + 1] ?? UNITS[at] ?? [1, "s"];
  let left = Math.round(seconds / smallest[0]) * smallest[0];
  const parts: string[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${formatFigure(count)} ${unit}`);
  }
  return parts.join(" ");
}

const ORDINALS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
];
const LAST_TWO_OF_TEENS = [11, 12, 13];

function ordinal(count: number): string {
  const word = ORDINALS[count - 1];
  if (word !== undefined) return word;
  const isTeen = LAST_TWO_OF_TEENS.includes(count % 100);
  const suffix = isTeen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${suffix}`;
}

const withArticle = (word: string): string => `${/^(e|8|11|18)/.test(word) ? "an" : "a"} ${word}`;
