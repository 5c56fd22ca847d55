/** Human units, chosen once per chart so that its values compare at a glance. */

export type Quantity =
  | "seconds"
  | "bytes"
  | "bytes-per-second"
  | "per-second"
  | "ratio"
  | "count"
  | "shards"
  | "segments"
  | "records"
  | "celsius"
  | "boolean";

export interface DisplayUnit {
  /** "ms"; empty for a bare count. */
  readonly name: string;
  /** Size of the unit in base units: 0.001 for ms. */
  readonly size: number;
}

const ladders: Partial<Record<Quantity, readonly DisplayUnit[]>> = {
  seconds: [
    { name: "µs", size: 1e-6 },
    { name: "ms", size: 1e-3 },
    { name: "s", size: 1 },
    { name: "min", size: 60 },
    { name: "h", size: 3_600 },
    { name: "d", size: 86_400 },
  ],
  bytes: [
    { name: "B", size: 1 },
    { name: "kB", size: 1e3 },
    { name: "MB", size: 1e6 },
    { name: "GB", size: 1e9 },
    { name: "TB", size: 1e12 },
    { name: "PB", size: 1e15 },
  ],
  "bytes-per-second": [
    { name: "B/s", size: 1 },
    { name: "kB/s", size: 1e3 },
    { name: "MB/s", size: 1e6 },
    { name: "GB/s", size: 1e9 },
  ],
  "per-second": [{ name: "/s", size: 1 }],
  ratio: [{ name: "%", size: 0.01 }],
  shards: [{ name: "shards", size: 1 }],
  segments: [{ name: "segments", size: 1 }],
  records: [{ name: "records", size: 1 }],
  celsius: [{ name: "°C", size: 1 }],
};

const bare: DisplayUnit = { name: "", size: 1 };

/** Uses minutes and longer units only from a value of two: "90 s" reads better than "1.5 min". */
const stepUpAt = (quantity: Quantity, { size }: DisplayUnit): number =>
  quantity === "seconds" && size >= 60 ? size * 2 : size;

/** Chooses the largest unit in which the typical value is at least one; zero has the base unit. */
export function chooseUnit(quantity: Quantity, typicalValue: number): DisplayUnit {
  const ladder = ladders[quantity] ?? [bare];
  if (typicalValue === 0) return ladder.find(({ size }) => size === 1) ?? ladder[0] ?? bare;
  const fitting = ladder.filter((unit) => stepUpAt(quantity, unit) <= Math.abs(typicalValue));
  return fitting.at(-1) ?? ladder[0] ?? bare;
}

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Formats a base-unit value with three significant digits in the display unit: "1.42", "12,480". */
export function formatIn(unit: DisplayUnit, value: number): string {
  const amount = value / unit.size;
  const magnitude = Math.abs(amount);
  if (magnitude === 0) return "0";
  if (magnitude >= 99.95 || (unit === bare && Number.isInteger(amount))) return grouped.format(amount);
  if (magnitude < 0.01) return amount.toPrecision(2);
  return String(Number(amount.toPrecision(3)));
}

/** Formats a value with its unit: "1.42 ms". */
export function formatWith(unit: DisplayUnit, value: number): string {
  return unit.name === "" ? formatIn(unit, value) : `${formatIn(unit, value)} ${unit.name}`;
}

/** Formats a single value in its best unit. */
export function formatQuantity(quantity: Quantity, value: number): { value: string; unit: string } {
  const unit = chooseUnit(quantity, value);
  return { value: formatIn(unit, value), unit: unit.name };
}

/** Formats a share with two digits, to be shown beside its value: "5.2 %" for 0.052. */
export const formatShare = (part: number): string => `${Number((100 * part).toPrecision(2))} %`;
