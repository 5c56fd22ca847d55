/** Text for drive figures: rates with their bytes, sizes, prices. */
import type { DriveFigure, DriveRow } from "@stashlight/contracts/disk";
import { formatCount } from "@stashlight/ui";

export const megabytesPerSecond = (iops: number, blockBytes: number): number => (iops * blockBytes) / 1e6;
export const iopsAt = (megabytes: number, blockBytes: number): number => (megabytes * 1e6) / blockBytes;

/** Two significant digits below ten: "0.42", "12,480". */
export const formatRate = (rate: number): string =>
  rate !== 0 && rate < 10 ? String(Number(rate.toPrecision(2))) : formatCount(Math.round(rate));

export const formatIops = (iops: number): string => `${formatRate(iops)} IOPS`;
export const formatMegabytes = (iops: number, blockBytes: number): string =>
  `${formatRate(megabytesPerSecond(iops, blockBytes))} MB/s`;

export function formatUs(us: number | null): string {
  if (us === null) return "–";
  if (us < 1_000) return `${us.toFixed(us < 10 ? 1 : 0)} µs`;
  return us < 1_000_000
    ? `${Number((us / 1_000).toPrecision(3))} ms`
    : `${Number((us / 1e6).toPrecision(3))} s`;
}

export const formatPercent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;

/** Headline figure of this access and operation; undefined if the sweep did not measure it. */
export const headlineFigure = (
  { sweep }: Pick<DriveRow, "sweep">,
  access: DriveFigure["cell"]["access"],
  readShare: 0 | 1,
): DriveFigure | undefined =>
  sweep?.figures.find(({ cell }) => cell.access === access && cell.readShare === readShare);

/** US dollars per month for `unitRate` of a rate; null without a price or a rate. */
export const priceFor = (pricePerMonth: number | null, rate: number, unitRate: number): number | null =>
  pricePerMonth === null || rate <= 0 ? null : (pricePerMonth * unitRate) / rate;
