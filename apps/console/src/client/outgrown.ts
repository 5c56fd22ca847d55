import type { OutgrownFigure } from "@stashlight/contracts/health";
import { formatBytes, formatCount, formatSpan, type Status } from "@stashlight/ui";

export interface OutgrownTile {
  value: string | null;
  unit?: string;
  /** Error of the figure, and the limit that it is compared with. */
  statistic?: string;
  status?: Status;
}

/** A forecast figure for a tile, in a readable unit. */
export function outgrownTile({ value, unit, error, limit }: OutgrownFigure): OutgrownTile {
  if (value === null) return { value };
  const words = [
    ...(error === null ? [] : [`± ${written(error, unit)} at 95 %`]),
    ...(limit === null ? [] : [`of ${written(limit, unit)}`]),
  ];
  const [amount = "", ...unitWords] = written(value, unit).split(" ");
  return {
    value: amount,
    unit: unitWords.join(" "),
    ...(words.length > 0 ? { statistic: words.join(", ") } : {}),
    ...(limit === null ? {} : { status: value >= limit ? "warning" : "good" }),
  };
}

function written(value: number, unit: OutgrownFigure["unit"]): string {
  switch (unit) {
    case "bytes":
      return formatBytes(value);
    case "seconds":
      return formatSpan(value * 1000);
    case "nodes a month":
      return `${Number(value.toPrecision(2))} per month`;
    case "nodes":
      return formatCount(value);
    case "rows/s":
      return `${value < 10 ? Number(value.toPrecision(2)) : formatCount(Math.round(value))} /s`;
  }
}
