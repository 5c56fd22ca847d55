/** Formats figures for sentences: three significant digits, SI units. */
import { DAY_SECONDS, YEAR_SECONDS } from "@stashlight/contracts/time";

const SI: readonly (readonly [number, string])[] = [
  [1e18, "EB"],
  [1e15, "PB"],
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
];

const TIMES: readonly (readonly [number, string])[] = [
  [YEAR_SECONDS, "year"],
  [DAY_SECONDS, "day"],
  [3600, "h"],
  [60, "min"],
];

/** Larger multiples carry no further meaning: the pool is idle. */
const TIMES_MAX = 1000;
/** Smaller figures would need an exponent, and are negligible beside others of their kind. */
const FIGURE_MIN = 0.001;
/** Rarer events are beyond the model. */
const CHANCE_MIN = 1e-9;

const USD_MIN = 0.0001;

const WRITTEN_OUT: ReadonlySet<string> = new Set(["year", "day"]);

/** Formats "6.97 TB", "323 kB" for 322.6 kB, "96 B". */
export function formatPlanBytes(bytes: number): string {
  const [size, unit] = SI.find(([from]) => bytes >= from) ?? [1, "B"];
  return `${formatFigure(bytes / size)} ${unit}`;
}

/** Formats in the largest unit that gives at least one: "1 h", "1.5 min", "2 days". */
export function formatPlanSeconds(seconds: number): string {
  const [size, unit] = TIMES.find(([from]) => seconds >= from) ?? [1, "s"];
  const figure = formatFigure(seconds / size);
  return `${figure} ${figure !== "1" && WRITTEN_OUT.has(unit) ? `${unit}s` : unit}`;
}

/** Formats "$25,200"; below $100 with cents, below a cent with three digits. */
export function formatUsd(usd: number): string {
  if (usd >= 100 || usd === 0) return `$${grouped(Math.round(usd))}`;
  if (usd < USD_MIN) return `less than $${USD_MIN}`;
  return usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${plain(usd)}`;
}

/** Formats "55 %", "0.44 %". */
export function formatShare(share: number): string {
  return `${formatFigure(share * 100)} %`;
}

/** Formats a share of draws; "all" and "none" only if that is exact. */
export function formatDrawnShare(share: number): string {
  if (share === 1) return "all";
  if (share === 0) return "none";
  if (share > 0.999) return "more than 99.9 %";
  return share < 0.001 ? "less than 0.1 %" : `${Number((share * 100).toFixed(1))} %`;
}

/** Formats three digits: "6.39", "19.4", "120,000"; integers from 100 on, and "less than 0.001" for tiny values. */
export function formatFigure(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < FIGURE_MIN) return value > 0 ? `less than ${FIGURE_MIN}` : `-${FIGURE_MIN} to 0`;
  if (size >= 1e15) return value.toExponential(2);
  return size >= 100 ? grouped(Math.round(value)) : plain(value);
}

/** Formats "one drive", "7 drives". */
export function counted(count: number, noun: string): string {
  return `${count === 1 ? "one" : grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats fractions of drives with two decimals: "6.39", "0.67". */
export function formatDrives(drives: number): string {
  if (drives < 0.01) return "less than 0.01";
  return drives < 1 ? drives.toFixed(2) : formatFigure(drives);
}

/** Formats multiples of a load: "9.39 times". Never rounds up to one, which would show that the load fits. */
export function formatTimes(times: number): string {
  if (times > TIMES_MAX) return `more than ${grouped(TIMES_MAX)} times`;
  if (times < 0.01) return times === 0 ? "0 times" : "less than 0.01 times";
  return times < 1 ? `${Math.floor(times * 1000) / 1000} times` : `${formatFigure(times)} times`;
}

/** Formats "more than 6.41 h"; capped at a year, beyond which the plan's assumptions no longer hold. */
export function formatOutage(seconds: number): string {
  return `more than ${seconds > YEAR_SECONDS ? "a year" : formatPlanSeconds(seconds)}`;
}

/** Formats a probability: "0.44 %", "1 in 71,900", "less than 1 in 1,000,000,000". */
export function formatChance(chance: number): string {
  if (chance >= 0.0001) return formatShare(chance);
  const one = chance > CHANCE_MIN ? 1 / chance : 1 / CHANCE_MIN;
  const rounded = grouped(Number(one.toPrecision(3)));
  return chance > CHANCE_MIN ? `1 in ${rounded}` : `less than 1 in ${rounded}`;
}

function plain(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function grouped(value: number): string {
  return value >= 1e15 ? value.toExponential(2) : String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
