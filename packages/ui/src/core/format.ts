import { chosenTimeZone, formatWallClock } from "./time-zone.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** Placeholder for a missing value. */
export const MISSING = "–";

const counts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/**
 * Formats an age: "8 s ago", "3 min ago", "in 2 h". Rounds down to the largest unit that fits, so an age is never
 * overstated.
 */
export function formatAge(ageMs: number): string {
  if (!Number.isFinite(ageMs)) return MISSING;
  if (Math.abs(ageMs) < 1000) return "just now";
  const span = formatSpan(Math.abs(ageMs));
  return ageMs < 0 ? `in ${span}` : `${span} ago`;
}

/** Formats a non-negative duration in milliseconds: "8 s", "3 min", "2 h", "5 d", "2 y". */
export function formatSpan(spanMs: number): string {
  if (!Number.isFinite(spanMs)) return MISSING;
  if (spanMs < MINUTE_MS) return `${Math.floor(spanMs / 1000)} s`;
  if (spanMs < HOUR_MS) return `${Math.floor(spanMs / MINUTE_MS)} min`;
  if (spanMs < DAY_MS) return `${Math.floor(spanMs / HOUR_MS)} h`;
  if (spanMs < YEAR_MS) return `${Math.floor(spanMs / DAY_MS)} d`;
  return `${Math.floor(spanMs / YEAR_MS)} y`;
}

const byteUnits = {
  SI: { base: 1000, names: ["B", "kB", "MB", "GB", "TB", "PB", "EB"] },
  IEC: { base: 1024, names: ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] },
} as const;

export type ByteSystem = keyof typeof byteUnits;

/** Formats bytes with three significant digits, "1.42 MB" (SI, powers of 1000) or "1.35 MiB" (IEC, powers of 1024). */
export function formatBytes(byteCount: number, system: ByteSystem = "SI"): string {
  if (!Number.isFinite(byteCount)) return MISSING;
  const { base, names } = byteUnits[system];
  let value = Math.abs(byteCount);
  let unit = 0;
  while (unit < names.length - 1 && roundToThreeDigits(value) >= base) {
    value /= base;
    unit += 1;
  }
  const sign = byteCount < 0 ? "−" : "";
  return `${sign}${unit === 0 ? Math.round(value) : threeDigits(value)} ${names[unit]}`;
}

/** Formats elapsed time: "5:00", "1:05:00" or "2 d 1:05:00". */
export function formatElapsed(elapsedMs: number): string {
  if (!Number.isFinite(elapsedMs)) return MISSING;
  const seconds = Math.round(elapsedMs / 1000);
  const two = (count: number) => String(count).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const clock =
    days + hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return days > 0 ? `${days} d ${clock}` : clock;
}

/** "12,480" */
export function formatCount(count: number): string {
  return Number.isFinite(count) ? counts.format(count) : MISSING;
}

/** "2026-11-21 01:33:51" in the given IANA zone, by default the reader's choice. */
export function formatDateTime(timeMs: number, timeZone = chosenTimeZone()): string {
  if (!Number.isFinite(timeMs)) return MISSING;
  return formatWallClock(timeMs, timeZone);
}

function roundToThreeDigits(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function threeDigits(value: number): string {
  if (value >= 99.95) return String(Math.round(value));
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
