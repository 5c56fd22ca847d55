/** Figures that a plan needs from the counted uploads, each with its basis or the reason why it is missing. */
import { formatFigure, formatPlanBytes } from "../format-figures.ts";
import { groupSizes, type SizeShare } from "./sizes.ts";
import type { LoadTally, MalformedLine } from "./tally.ts";

export interface ReadFile {
  readonly name: string;
  /** Null until the format is known, and for an unreadable file. */
  readonly format: string | null;
  /** Reason why the file was not read, or not completely. */
  readonly problem: string | null;
}

export type ImportedFigure =
  | { readonly value: number; readonly missing: null }
  | { readonly value: null; readonly missing: string };

export interface UploadSum {
  readonly count: number;
  readonly bytes: number;
}

export interface ImportedLoad {
  readonly files: readonly ReadFile[];
  readonly smallBytesMax: number;
  readonly lineCount: number;
  readonly malformedCount: number;
  readonly malformedExamples: readonly MalformedLine[];
  /** Valid lines without an upload, the most frequent reason first. */
  readonly passedOver: readonly { readonly reason: string; readonly count: number }[];
  readonly small: UploadSum;
  readonly large: UploadSum;
  /** Share of small uploads; null without any upload. */
  readonly smallShare: number | null;
  /** True if the times are the last writes of objects that still exist. */
  readonly isListing: boolean;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** Rate of small uploads, over the whole minutes between the first and the last upload. */
  readonly uploadsPerSecond: ImportedFigure;
  /** Ratio of the busiest minute to the mean. */
  readonly peakFactor: ImportedFigure;
  /** Small uploads per second by hour of the day in UTC, from 0 to 23; null for an hour that the log does not cover. */
  readonly byHour: readonly (number | null)[];
  /** Small uploads by size; empty without any. */
  readonly sizes: readonly SizeShare[];
  /** Sentences about omissions and additions in the figures. */
  readonly notes: readonly string[];
}

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;
const HOURS_A_DAY = 24;
/** Minimum number of minutes, as for the fleet's figures: a busiest minute among fewer is unreliable. */
const PEAK_MINUTES_MIN = 10;

export function summarise(
  tally: LoadTally,
  files: readonly ReadFile[],
  formatNotes: readonly string[],
): ImportedLoad {
  const { smallCount, smallBytes, largeCount, largeBytes, firstMinute, lastMinute } = tally;
  const hasTimes = Number.isFinite(firstMinute);
  const isListing = tally.listedCount > 0;
  const minutes = countMinutes(tally);
  const all = smallCount + largeCount;
  return {
    files,
    smallBytesMax: tally.smallBytesMax,
    lineCount: tally.lineCount,
    malformedCount: tally.malformedCount,
    malformedExamples: tally.malformedExamples,
    passedOver: [...tally.passedOver]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count),
    small: { count: smallCount, bytes: smallBytes },
    large: { count: largeCount, bytes: largeBytes },
    smallShare: all === 0 ? null : smallCount / all,
    isListing,
    firstMs: hasTimes ? firstMinute * MINUTE_MS : null,
    lastMs: hasTimes ? (lastMinute + 1) * MINUTE_MS : null,
    uploadsPerSecond: uploadRate(tally, minutes),
    peakFactor: peakFigure(tally, minutes),
    byHour: minutes.byHour,
    sizes: groupSizes(tally.octaveCounts, tally.octaveBytes),
    notes: [...formatNotes, ...loadNotes(tally, minutes, isListing)],
  };
}

interface Minutes {
  /** Number of minutes between the first and the last one, which are incomplete. */
  readonly wholeCount: number;
  /** Number of small uploads in them. */
  readonly total: number;
  readonly busiest: number;
  readonly byHour: readonly (number | null)[];
  /** Number of hours from the first to the last, and number of those without a small upload. */
  readonly hourCount: number;
  readonly silentHourCount: number;
}

function countMinutes({ hours, firstMinute, lastMinute }: LoadTally): Minutes {
  const wholeCount = Number.isFinite(firstMinute) ? Math.max(0, lastMinute - firstMinute - 1) : 0;
  let total = 0;
  let busiest = 0;
  const uploads = new Array<number>(HOURS_A_DAY).fill(0);
  for (const [hour, minutes] of hours) {
    const ofDay = ((hour % HOURS_A_DAY) + HOURS_A_DAY) % HOURS_A_DAY;
    for (const [inHour, count] of minutes.entries()) {
      const minute = hour * MINUTES_AN_HOUR + inHour;
      if (count === 0 || minute <= firstMinute || minute >= lastMinute) continue;
      total += count;
      if (count > busiest) busiest = count;
      uploads[ofDay] = (uploads[ofDay] ?? 0) + count;
    }
  }
  const covered = minutesByHourOfDay(firstMinute + 1, wholeCount);
  const firstHour = Math.floor(firstMinute / MINUTES_AN_HOUR);
  const hourCount = wholeCount === 0 ? 0 : Math.floor(lastMinute / MINUTES_AN_HOUR) - firstHour + 1;
  return {
    wholeCount,
    total,
    busiest,
    byHour: uploads.map((count, hour) => {
      const seconds = (covered[hour] ?? 0) * 60;
      return seconds === 0 ? null : count / seconds;
    }),
    hourCount,
    silentHourCount: Math.max(0, hourCount - hours.size),
  };
}

/** Counts the consecutive minutes in each hour of the day. */
function minutesByHourOfDay(fromMinute: number, count: number): number[] {
  const aDay = HOURS_A_DAY * MINUTES_AN_HOUR;
  const covered = new Array<number>(HOURS_A_DAY).fill(Math.floor(count / aDay) * MINUTES_AN_HOUR);
  for (let at = fromMinute; at < fromMinute + (count % aDay); at += 1) {
    const hour = Math.floor((((at % aDay) + aDay) % aDay) / MINUTES_AN_HOUR);
    covered[hour] = (covered[hour] ?? 0) + 1;
  }
  return covered;
}

const missing = (sentence: string): ImportedFigure => ({ value: null, missing: sentence });

function uploadRate(tally: LoadTally, { wholeCount, total }: Minutes): ImportedFigure {
  if (tally.smallCount === 0) return missing("No small uploads found.");
  if (tally.untimedCount === tally.smallCount) return missing("The lines have no time, so there is no rate.");
  if (wholeCount === 0 || total === 0)
    return missing("All uploads are within two minutes; a rate needs more.");
  return { value: total / (wholeCount * 60), missing: null };
}

function peakFigure(tally: LoadTally, minutes: Minutes): ImportedFigure {
  const { wholeCount, total, busiest } = minutes;
  const rate = uploadRate(tally, minutes);
  if (rate.value === null) return rate;
  if (wholeCount < PEAK_MINUTES_MIN) {
    return missing(
      `The uploads span ${wholeCount} whole minutes; finding the busiest minute needs ${PEAK_MINUTES_MIN}.`,
    );
  }
  return { value: busiest / (total / wholeCount), missing: null };
}

function loadNotes(tally: LoadTally, { hourCount, silentHourCount }: Minutes, isListing: boolean): string[] {
  const notes: string[] = [];
  const limit = formatPlanBytes(tally.smallBytesMax);
  if (isListing) {
    notes.push(
      "A listing has only objects that are still there. Its rate is that of their last writes: objects that were deleted or overwritten since are missing, so the true rate is higher.",
    );
  } else if (silentHourCount > 0) {
    notes.push(
      `${formatFigure(silentHourCount)} of ${formatFigure(hourCount)} hours have no upload of up to ${limit}. If files of the log are missing, the mean is too low and the peak factor too high.`,
    );
  }
  if (tally.untimedCount > 0 && tally.untimedCount < tally.smallCount) {
    notes.push(`${formatFigure(tally.untimedCount)} small uploads have no time and count for sizes only.`);
  }
  return notes;
}
