/** Figures as a sentence says them: three digits that mean something, SI units. */
import { DAY_SECONDS, YEAR_SECONDS } from "@stashlight/contracts/time/duration";

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

const WRITTEN_OUT: ReadonlySet<string> = new Set(["year", "day"]);

/** "6.97 TB", "322.6 kB" is "323 kB", "96 B". */
export function bytesInWords(bytes: number): string {
  const [size, unit] = SI.find(([from]) => bytes >= from) ?? [1, "B"];
  return `${figureInWords(bytes / size)} ${unit}`;
}

/** In the largest unit of which there is one: "1 h", "1.5 min", "2 days". */
export function secondsInWords(seconds: number): string {
  const [size, unit] = TIMES.find(([from]) => seconds >= from) ?? [1, "s"];
  const figure = figureInWords(seconds / size);
  return `${figure} ${figure !== "1" && WRITTEN_OUT.has(unit) ? `${unit}s` : unit}`;
}

/** "$25,200"; below $100 with cents, below a cent with three digits. */
export function usdInWords(usd: number): string {
  if (usd >= 100 || usd === 0) return `$${grouped(Math.round(usd))}`;
  return usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${plain(usd)}`;
}

/** "55 %", "0.44 %". */
export function shareInWords(share: number): string {
  return `${figureInWords(share * 100)} %`;
}

/** Three digits: "6.39", "19.4", "120,000"; whole numbers from 100 on. */
export function figureInWords(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15) return value.toExponential(2);
  return size >= 100 ? grouped(Math.round(value)) : plain(value);
}

/** "one drive", "7 drives". */
export function counted(count: number, noun: string): string {
  return `${count === 1 ? "one" : grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function plain(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function grouped(value: number): string {
  return value >= 1e15 ? value.toExponential(2) : String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
