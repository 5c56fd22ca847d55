/** Parses and formats sizes and times. */

const UNIT_BYTES: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1000,
  kib: 1024,
  mb: 1_000_000,
  mib: 1_048_576,
  gb: 1e9,
  gib: 1_073_741_824,
};

/** "256KiB", "1 MB" or "4096"; null if it is not a size, or not a whole number of bytes. */
export function parseSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unitBytes = UNIT_BYTES[match?.[2]?.toLowerCase() ?? "?"];
  if (match === null || unitBytes === undefined) return null;
  const bytes = Number(match[1]) * unitBytes;
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** In the unit that gives a small number: "256 KiB", "1.5 MiB", "100 B". */
export function formatSize(bytes: number): string {
  if (bytes >= 1_073_741_824) return `${trimmed(bytes / 1_073_741_824)} GiB`;
  if (bytes >= 1_048_576) return `${trimmed(bytes / 1_048_576)} MiB`;
  if (bytes >= 1024) return `${trimmed(bytes / 1024)} KiB`;
  return `${bytes} B`;
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** Below a millisecond in microseconds: "105 µs", "4.71 ms". */
export const formatUs = (us: number): string =>
  us < 1_000 ? `${us.toFixed(us < 10 ? 1 : 0)} µs` : formatMs(us / 1_000);

/** Three significant digits: "4.71 ms", "183 ms", "12.5 s". */
export function formatMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 100) return `${ms.toFixed(0)} ms`;
  return `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}

/** "12 s", "4 min", "2 h 10 min", "3 d 4 h". */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Formats "99.9 %"; a share reads as 100 % only if it is whole. */
export function formatShare(share: number): string {
  return `${(100 * (share < 1 ? Math.min(share, 0.999) : share)).toFixed(1)} %`;
}

/** Adds thousands separators. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 object", "2 objects". */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a time as "2026-11-29 14:05 UTC". */
export const formatMinute = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
