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

/** In both systems, because 256 kB and 256 KiB are different sizes: "256 kB (250 KiB)". */
export function sizeText(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${inUnits(bytes, 1000, DECIMAL)} (${inUnits(bytes, 1024, BINARY)})`;
}
