/**
 * Finds fail-slow drives among peers: drives that are slower than the others in the same role at the same load, for
 * hours. A limit common to all drives detects only the worst ones, and a drive's own history cannot reveal one that was
 * always slow.
 *
 *     as peers --3 slow hours within a day--> watch --8 slow hours within two days--> slow
 *
 * A verdict looks back from the last window only, so a drive that has recovered is "as peers" again.
 */
import { medianInterval } from "../median-interval.ts";
import { fitPeers, type PeerDrive, type PeerFit } from "./peer-fit.ts";
import { MAD_TO_SIGMA, medianOr } from "./robust-fit.ts";

export interface PeerOptions {
  readonly windowSeconds: number;
}

export interface PeerJudgement {
  readonly id: string;
  /** `unknown`: too few peers, or too few windows of the drive. */
  readonly state: "unknown" | "as peers" | "watch" | "slow";
  /** Ratio of measured to expected latency in the drive's slow hours, or over the last two days; null while unknown. */
  readonly slowdown: number | null;
  /** 95 % interval of `slowdown`; null if unknown, or with too few hours. */
  readonly slowdownInterval: { readonly low: number; readonly high: number } | null;
  /** Index of the first window of the present slow episode; null while the drive matches its peers. */
  readonly sinceWindow: number | null;
  readonly slowHours: number;
}

export interface PeerJudgements {
  readonly drives: readonly PeerJudgement[];
  /** Null if there are too few drives or windows for a fit. */
  readonly fit: PeerFit | null;
  /** Ratio of measured to expected latency above which an hour of a drive counts as slow; null without a fit. */
  readonly limitRatio: number | null;
}

/** Minimum number of peers: with fewer, one odd peer would decide what is normal. */
export const PEERS_MIN = 4;
/** Hours with enough syncs, out of the last `SLOW_WITHIN_HOURS`. */
export const HOURS_MIN = 6;
/** Share of an hour's windows that a drive must have reported. */
const HOUR_WINDOWS_SHARE = 0.5;
/** Upper bound of normal hours: 99.99 % of a normal distribution. */
const LIMIT_SIGMAS = 3.72;
/** Smaller slowdowns need no attention, even if the peers hardly differ. */
const LIMIT_RATIO_MIN = 1.3;
const WATCH_HOURS = 3;
const WATCH_WITHIN_HOURS = 24;
export const SLOW_HOURS = 8;
export const SLOW_WITHIN_HOURS = 48;
/** Episodes less than this time apart count as one. */
const EPISODE_GAP_HOURS = 24;

export function judgePeers(drives: readonly PeerDrive[], { windowSeconds }: PeerOptions): PeerJudgements {
  const windowsPerHour = Math.max(1, Math.round(3600 / windowSeconds));
  const reporting = drives.filter(({ windows }) => windows.some((window) => window !== null));
  if (reporting.length <= PEERS_MIN) return { drives: drives.map(unknown), fit: null, limitRatio: null };
  const fit = fitPeers(drives);
  const hours = fit.excess.map((excess) => hourlyMedians(excess, windowsPerHour));
  const { centre, limit } = usualHours(hours);
  return {
    drives: drives.map((drive, at) =>
      judge(drive, hours[at] as Float64Array, { centre, limit, windowsPerHour }),
    ),
    fit,
    limitRatio: Math.exp(limit - centre),
  };
}

const unknown = ({ id }: PeerDrive): PeerJudgement => ({
  id,
  state: "unknown",
  slowdown: null,
  slowdownInterval: null,
  sinceWindow: null,
  slowHours: 0,
});

/** Medians per hour, ending with the last window; NaN for an hour in which the drive reported too little. */
function hourlyMedians(excess: Float64Array, windowsPerHour: number): Float64Array {
  const hourCount = Math.floor(excess.length / windowsPerHour);
  const first = excess.length - hourCount * windowsPerHour;
  return Float64Array.from({ length: hourCount }, (_, hour) => {
    const from = first + hour * windowsPerHour;
    const known = excess.slice(from, from + windowsPerHour).filter((value) => !Number.isNaN(value));
    return known.length < HOUR_WINDOWS_SHARE * windowsPerHour ? Number.NaN : medianOr(known, Number.NaN);
  });
}

/** Centre and limit of normal hours in this group, from the medians of all drives, since few are slow. */
function usualHours(hours: readonly Float64Array[]): { readonly centre: number; readonly limit: number } {
  const known = hours.map((of) => of.filter((value) => !Number.isNaN(value)));
  const biases = Float64Array.from(known.filter((of) => of.length > 0).map((of) => medianOr(of, 0)));
  const centre = medianOr(biases, 0);
  const spread =
    MAD_TO_SIGMA *
    medianOr(
      biases.map((bias) => Math.abs(bias - centre)),
      0,
    );
  const noise = medianOr(
    Float64Array.from(
      known.map((of) => {
        const own = medianOr(of, 0);
        return (
          MAD_TO_SIGMA *
          medianOr(
            of.map((value) => Math.abs(value - own)),
            0,
          )
        );
      }),
    ),
    0,
  );
  const sigma = Math.hypot(spread, noise);
  return { centre, limit: centre + Math.max(Math.log(LIMIT_RATIO_MIN), LIMIT_SIGMAS * sigma) };
}

interface Usual {
  readonly centre: number;
  readonly limit: number;
  readonly windowsPerHour: number;
}

function judge(
  drive: PeerDrive,
  hours: Float64Array,
  { centre, limit, windowsPerHour }: Usual,
): PeerJudgement {
  const recent = hours.slice(-SLOW_WITHIN_HOURS);
  const known = recent.filter((value) => !Number.isNaN(value));
  if (known.length < HOURS_MIN) return unknown(drive);
  const isSlow = (value: number): boolean => value > limit;
  const slow = known.filter(isSlow);
  const ofDay = hours.slice(-WATCH_WITHIN_HOURS).filter(isSlow);
  const state = slow.length >= SLOW_HOURS ? "slow" : ofDay.length >= WATCH_HOURS ? "watch" : "as peers";
  const first = hours.length * windowsPerHour;
  const sinceHour = state === "as peers" ? null : episodeStart(hours, isSlow);
  const judged = state === "as peers" ? known : slow;
  const interval = medianInterval(judged);
  return {
    id: drive.id,
    state,
    slowdown: Math.exp(medianOr(judged, 0) - centre),
    slowdownInterval: interval && {
      low: Math.exp(interval.low - centre),
      high: Math.exp(interval.high - centre),
    },
    sinceWindow: sinceHour === null ? null : drive.windows.length - first + sinceHour * windowsPerHour,
    slowHours: slow.length,
  };
}

function episodeStart(hours: Float64Array, isSlow: (value: number) => boolean): number | null {
  let start: number | null = null;
  for (let hour = hours.length - 1; hour >= 0; hour -= 1) {
    if (isSlow(hours[hour] as number)) start = hour;
    else if (start !== null && start - hour >= EPISODE_GAP_HOURS) break;
  }
  return start;
}
