/** Sizes in everyday notation: 256 kB is 256,000 B, 256 KiB is 262,144 B, and each is printed in its own unit. */

const factors: Record<string, number> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};
const names = ["TB", "GB", "MB", "kB", "TiB", "GiB", "MiB", "KiB"] as const;

/** Returns NaN for text that is not a size. Without a unit it is bytes. */
export function parseSize(text: string): number {
  const [, amount = "", unit = ""] = /^([\d.,]+)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = factors[unit.toLowerCase() || "b"];
  if (amount === "" || factor === undefined) return Number.NaN;
  return Number(amount.replaceAll(",", "")) * factor;
}

/**
 * Formats exactly: in the largest unit that yields a whole number, in a decimal one unless the number would be long.
 */
export function formatSize(bytes: number): string {
  const whole = names
    .map((name) => ({ name, amount: bytes / (factors[name.toLowerCase()] ?? 1) }))
    .filter(({ amount }) => Number.isInteger(amount) && amount >= 1);
  const short = whole.find(({ name, amount }) => !name.includes("i") && amount < 1000);
  const best = short ?? whole.toSorted((a, b) => a.amount - b.amount)[0];
  return best === undefined ? `${bytes} B` : `${best.amount} ${best.name}`;
}

const DECIMAL = ["B", "kB", "MB", "GB", "TB"];
const BINARY = ["B", "KiB", "MiB", "GiB", "TiB"];

function inUnits(bytes: number, base: number, units: readonly string[]): string {
  let value = bytes;
  let unit = 0;
  while (value >= base && unit < units.length - 1) {
    value /= base;
    unit += 1;
  }
  return `${Number(value.toPrecision(4))} ${units[unit]}`;
}

/** Formats in both systems, because 256 kB and 256 KiB are different sizes: "256 kB (250 KiB)". */
export function sizeText(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${inUnits(bytes, 1000, DECIMAL)} (${inUnits(bytes, 1024, BINARY)})`;
}

/** Formats "PUT of 256 kB (250 KiB)", the beginning of a run's flags. */
export const formatMeasured = (operation: string, sizeBytes: number): string =>
  operation === "TCP_CONNECT" ? "TCP connections" : `${operation} of ${sizeText(sizeBytes)}`;

/** Formats "PUT of 256 kB (250 KiB) over 1 connection"; always with the connections, so that loads differ in text. */
export const formatLoad = (operation: string, sizeBytes: number, connectionCount: number): string =>
  operation === "TCP_CONNECT"
    ? formatMeasured(operation, sizeBytes)
    : `${formatMeasured(operation, sizeBytes)} over ${connectionCount} connection${connectionCount === 1 ? "" : "s"}`;
