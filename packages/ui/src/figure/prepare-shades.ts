import { chooseUnit, formatWith, type Quantity } from "../chart/units.ts";
import type { PreparedFigure } from "./model.ts";
import { elapsedTicks } from "./prepare-elapsed.ts";

export interface ShadeRow {
  readonly label: string;
  /** One value per step from the start; null leaves a step empty, because nothing was measured. */
  readonly values: readonly (number | null)[];
}

export interface ShadeInput {
  readonly stepSeconds: number;
  readonly quantity: Quantity;
  readonly rows: readonly ShadeRow[];
  /** Table columns: row name, second, and the value with its unit. */
  readonly columns: PreparedFigure["columns"];
  /** Converts from the base unit to the unit of the table. */
  readonly inTable: (value: number) => number;
}

/** Shade of the minimum, distinguishable from the background. */
const SHARE_MIN = 0.12;
/** Height of a row as a share of its slot, which leaves a gap below it. */
const ROW_SHARE = 0.86;

/**
 * Draws one row per series over the same time, stronger for larger values. Shades follow the logarithm, because the
 * interesting differences are factors; the label gives the values at both ends.
 */
export function prepareShades({ stepSeconds, quantity, rows, columns, inTable }: ShadeInput): PreparedFigure {
  const values = rows.flatMap((row) => row.values.filter((value) => value !== null && value > 0)) as number[];
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((high, value) => Math.max(high, value), 0);
  const steps = Math.max(1, ...rows.map((row) => row.values.length));
  const height = 1 / Math.max(1, rows.length);
  const across = (row: number): number => 1 - (row + 0.5) * height;
  const shadeShare = (value: number): number =>
    most <= least ? 1 : SHARE_MIN + ((1 - SHARE_MIN) * Math.log(value / least)) / Math.log(most / least);
  const named = (value: number): string => formatWith(chooseUnit(quantity, value), value);
  return {
    marks: [
      {
        kind: "shades",
        id: "shades",
        label: null,
        tone: "accent-ink",
        height: height * ROW_SHARE,
        shades: rows.flatMap((row, place) =>
          row.values.flatMap((value, step) =>
            value === null || value <= 0
              ? []
              : [[across(place), step / steps, (step + 1) / steps, shadeShare(value)] as const],
          ),
        ),
      },
    ],
    xTicks: elapsedTicks(steps * stepSeconds),
    yTicks: rows.map(({ label }, row) => ({ at: across(row), label })),
    xLabel:
      values.length === 0
        ? "since the start"
        : `since the start; palest ${named(least)}, strongest ${named(most)}`,
    hasNames: true,
    columns,
    rows: rows.flatMap(({ label, values: each }) =>
      each.map((value, step) => [
        label,
        step * stepSeconds,
        value === null ? null : Number(inTable(value).toPrecision(4)),
      ]),
    ),
    isEmpty: values.length === 0,
  };
}
