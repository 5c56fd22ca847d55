/**
 * Figures whose horizontal axis is not the time of day: samples in order, distributions, values with intervals, named
 * bars, forecasts over years. A preparer decides everything, and the panel only paints. Positions are from 0 to 1,
 * upwards and to the right.
 */
import type { ChartTone } from "../chart/model.ts";

export interface FigureTick {
  readonly at: number;
  readonly label: string;
}

export type FigureMark =
  | {
      readonly kind: "points";
      readonly id: string;
      /** Null if it needs no name. */
      readonly label: string | null;
      readonly tone: ChartTone;
      readonly isHollow: boolean;
      readonly points: readonly (readonly [x: number, y: number])[];
    }
  | {
      readonly kind: "line";
      readonly id: string;
      readonly label: string | null;
      readonly tone: ChartTone;
      /** Distinguishes the line from others without relying on colour. */
      readonly isDashed: boolean;
      readonly points: readonly (readonly [x: number, y: number])[];
    }
  | {
      readonly kind: "bars";
      readonly id: string;
      readonly label: string | null;
      readonly tone: ChartTone;
      readonly bars: readonly (readonly [from: number, to: number, top: number])[];
    }
  | {
      readonly kind: "intervals";
      readonly id: string;
      readonly label: string | null;
      readonly tone: ChartTone;
      /** Label along the axis with the unit. */
      readonly axis: "x" | "y";
      readonly intervals: readonly (readonly [across: number, low: number, value: number, high: number])[];
    }
  | {
      readonly kind: "rows";
      readonly id: string;
      readonly label: string | null;
      readonly tone: ChartTone;
      /** Horizontal bars; `height` is a share of the picture. */
      readonly rows: readonly (readonly [across: number, from: number, to: number, height: number])[];
    }
  | {
      readonly kind: "shades";
      readonly id: string;
      readonly label: string | null;
      readonly tone: ChartTone;
      /** Horizontal bars of one height, each as strong as its position on the scale, from 0 to 1. */
      readonly height: number;
      readonly shades: readonly (readonly [across: number, from: number, to: number, share: number])[];
    };

export interface PreparedFigure {
  readonly marks: readonly FigureMark[];
  readonly xTicks: readonly FigureTick[];
  readonly yTicks: readonly FigureTick[];
  readonly xLabel: string;
  /** Names instead of numbers along the vertical axis. */
  readonly hasNames: boolean;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly isEmpty: boolean;
}
