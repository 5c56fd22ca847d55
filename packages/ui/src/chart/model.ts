/**
 * Data model of a chart. A preparer turns data into a `PreparedChart`, which decides everything a reader could
 * question: unit, axes, gaps, values hidden for too few samples. The visualiser only paints it.
 */
import type { DisplayUnit } from "./units.ts";

/** Semantic names of the colour tokens. */
export type ChartTone =
  | "stash"
  | "pod"
  | "direct"
  | "coordinator"
  | "series-1"
  | "series-2"
  | "series-3"
  | "series-4"
  | "series-5"
  | "series-6"
  | "accent-ink"
  | "good"
  | "warning"
  | "bad"
  | "unknown";

/** Distinguishes lines of one tone without relying on colour. */
export type LineWeight = "strong" | "medium" | "light" | "dotted" | "previous";

export interface ChartRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A period without data, and the reason. */
export interface ChartGap {
  readonly startMs: number;
  readonly endMs: number;
  readonly reason: string;
}

/** An event at one moment: a run, a change, an alert. */
export interface ChartEvent {
  readonly timeMs: number;
  readonly label: string;
  readonly status: "good" | "warning" | "bad" | "info" | "unknown";
  /** End of the event, which is then drawn as a linked bracket instead of its status. */
  readonly span?: { readonly endMs: number; readonly href: string };
  /** Drawn over the whole height, as a line or an area with its label. */
  readonly isAnnotation?: boolean;
}

/** A labelled period, drawn behind the lines over the whole height, such as an alert firing. */
export interface ChartSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly status: "warning" | "bad";
  readonly label: string;
}

/** A limit in the quantity's base unit. */
export interface ChartThreshold {
  readonly value: number;
  readonly label: string;
  readonly tone: ChartTone;
}

export interface Tick {
  /** In axis space: the base unit on a linear scale, its logarithm to base 10 on a logarithmic one. */
  readonly at: number;
  readonly label: string;
}

export interface ValueAxis {
  readonly scale: "linear" | "log";
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly Tick[];
}

/** All values are in axis space. */
export type Mark =
  | {
      readonly kind: "line";
      readonly id: string;
      readonly tone: ChartTone;
      readonly weight: LineWeight;
      /** True for pieces too short to be dashed, whose dashes would look like crumbs. */
      readonly isSolid?: boolean;
      readonly points: readonly (readonly [timeMs: number, value: number | null])[];
    }
  | {
      readonly kind: "band";
      readonly id: string;
      readonly tone: ChartTone;
      /** A run has no gaps. */
      readonly runs: readonly (readonly (readonly [timeMs: number, low: number, high: number])[])[];
    }
  | {
      readonly kind: "bars";
      readonly id: string;
      readonly tone: ChartTone;
      readonly weight: LineWeight;
      readonly bars: readonly (readonly [startMs: number, endMs: number, base: number, top: number])[];
    }
  | {
      readonly kind: "cells";
      readonly id: string;
      readonly tone: ChartTone;
      /** `level`, from 0 to 1, is the cell's position on the colour scale. */
      readonly cells: readonly (readonly [
        startMs: number,
        endMs: number,
        low: number,
        high: number,
        level: number,
      ])[];
    };

/** A series whose value a reader can look up: a line, a layer of bars, a row of a heatmap. */
export interface Reading {
  readonly id: string;
  readonly label: string;
  readonly tone: ChartTone;
  readonly weight: LineWeight;
  readonly points: readonly ReadingPoint[];
}

export interface ReadingPoint {
  /** End of the window covered. */
  readonly timeMs: number;
  /** In the base unit; null where hidden, with the reason in `note`. */
  readonly value: number | null;
  readonly note?: string;
  readonly n?: number;
}

export interface PreparedChart {
  readonly range: ChartRange;
  /** Times are durations since the beginning rather than calendar times. */
  readonly isElapsed?: boolean;
  readonly stepMs: number;
  readonly unit: DisplayUnit;
  readonly valueAxis: ValueAxis;
  readonly timeTicks: readonly Tick[];
  readonly marks: readonly Mark[];
  readonly thresholds: readonly (ChartThreshold & { readonly at: number })[];
  readonly gaps: readonly ChartGap[];
  readonly events: readonly ChartEvent[];
  readonly spans?: readonly ChartSpan[];
  readonly readings: readonly Reading[];
  /** Quantity of the readings where it differs from the axis: a heatmap's cells are counts. */
  readonly readingUnit?: DisplayUnit;
  /** Total that contains the values, in the base unit. */
  readonly whole?: number;
  /** True if there is nothing to draw. */
  readonly isEmpty: boolean;
  /** Nodes reported in part of the range, so an empty chart is quiet rather than unknown. */
  readonly isReported: boolean;
  /** End of the last known zero, if every drawn value is zero. */
  readonly zeroUntilMs?: number | undefined;
}
