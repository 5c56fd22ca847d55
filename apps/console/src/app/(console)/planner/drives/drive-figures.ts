/** Drive catalogue as rows: every figure with its unit, source and date. */
import {
  allowedMeanWriteBytesPerSecond,
  type CatalogueDrive,
  type ComparedFigure,
  driveCatalogue,
  type Figure,
} from "@stashlight/devices";
import { formatBytes, formatCount } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";

export interface DriveFigureRow {
  readonly id: string;
  readonly drive: string;
  readonly label: string;
  readonly shown: string;
  readonly value: number;
  readonly basis: Figure["basis"];
  readonly source: string;
  readonly asOf: string;
}

const inUnit = (quantity: "seconds" | "bytes", value: number): string => {
  const { value: amount, unit } = formatQuantity(quantity, value);
  return `${amount} ${unit}`;
};

const microseconds = (us: number): string => inUnit("seconds", us / 1e6);
const rate = (value: number): string => `${inUnit("bytes", value)}/s`;
const iops = (value: number): string => `${formatCount(value)} IOPS`;

type FigureName = {
  [Name in keyof CatalogueDrive]-?: CatalogueDrive[Name] extends Figure | null ? Name : never;
}[keyof CatalogueDrive];

const shownFigures: readonly { name: FigureName; label: string; say: (value: number) => string }[] = [
  { name: "capacityBytes", label: "Capacity", say: (value) => formatBytes(value) },
  { name: "priceUsd", label: "Price", say: (value) => `$${formatCount(value)}` },
  { name: "readBytesPerSecond", label: "Sustained read", say: rate },
  { name: "writeBytesPerSecond", label: "Sustained write", say: rate },
  { name: "read4kIops", label: "Random read, 4 kB", say: iops },
  { name: "write4kIops", label: "Random write, 4 kB", say: iops },
  { name: "readLatencyUs", label: "Latency of a read", say: microseconds },
  { name: "writeLatencyUs", label: "Write latency", say: microseconds },
  {
    name: "flushUs",
    label: "Sync beyond its write",
    say: (us) => (us === 0 ? "not known" : microseconds(us)),
  },
  { name: "driveWritesPerDay", label: "Endurance", say: (value) => `${value} drive writes a day` },
  { name: "warrantyYears", label: "Warranty", say: (value) => `${value} years` },
  {
    name: "annualFailureRate",
    label: "Fail in a year",
    say: (value) => `${Number((value * 100).toFixed(2))} %`,
  },
];

export const driveRows: readonly DriveFigureRow[] = driveCatalogue.flatMap((drive) => [
  ...shownFigures.flatMap(({ name, label, say }): DriveFigureRow[] => {
    const figure = drive[name];
    if (figure === null) return [];
    const { value, basis, source, asOf } = figure;
    return [
      {
        id: `${drive.id} ${name}`,
        drive: driveName(drive),
        label,
        shown: say(value),
        value,
        basis,
        source,
        asOf,
      },
    ];
  }),
  ...enduranceRow(drive),
]);

function driveName({ maker, model }: CatalogueDrive): string {
  return `${maker} ${model}`;
}

/** Mean write rate at which the drive's endurance lasts exactly as long as its warranty. */
function enduranceRow(drive: CatalogueDrive): DriveFigureRow[] {
  const allowed = allowedMeanWriteBytesPerSecond(drive);
  if (allowed === null || drive.driveWritesPerDay === null) return [];
  return [
    {
      id: `${drive.id} allowed`,
      drive: driveName(drive),
      label: "Mean write rate at which it outlives its warranty",
      shown: rate(allowed),
      value: allowed,
      basis: drive.driveWritesPerDay.basis,
      source: "Endurance x capacity / 86,400 s",
      asOf: drive.driveWritesPerDay.asOf,
    },
  ];
}

export function formatCompared({ unit }: Pick<ComparedFigure, "unit">, value: number): string {
  switch (unit) {
    case "bytes":
      return formatBytes(value);
    case "bytes-per-second":
      return rate(value);
    case "seconds":
      return inUnit("seconds", value);
    case "iops":
      return iops(value);
    case "usd":
      return `$${formatCount(value)}`;
    case "usd-per-tb":
      return `$${value.toFixed(2)}`;
  }
}

/** "164×", or "HDD 3×" if the disk is the better one. */
export function formatRatio(ratio: number): string {
  const times = (factor: number): string =>
    `${factor >= 99.5 ? formatCount(factor) : factor.toPrecision(2)}×`;
  return ratio >= 1 ? times(ratio) : `HDD ${times(1 / ratio)}`;
}
