/**
 * What a chart is made of. A preparer turns data into a `PreparedChart`, in which everything a reader could question is
 * decided: unit, axes, gaps, what is left out for too few samples. The visualiser only paints it.
 */
import type { DisplayUnit } from "./units.ts";

/** Meaning, not colour: the names of the tokens that carry it. */
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

/** Tells lines of one tone apart without colour. */
export type LineWeight = "strong" | "medium" | "light" | "dotted" | "previous";

export interface ChartRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A time of which nothing is known, and why. */
export interface ChartGap {
  readonly startMs: number;
  readonly endMs: number;
  readonly reason: string;
}

/** Something that happened at a moment: a run, a change, an alert. */
export interface ChartEvent {
  readonly timeMs: number;
  readonly label: string;
  readonly status: "good" | "warning" | "bad" | "info" | "unknown";
  /** It lasted until then, and is drawn as a bracket that links there rather than as its status. */
  readonly span?: { readonly endMs: number; readonly href: string };
  /** It is drawn over the whole height, as a line or an area with its label. */
  readonly isAnnotation?: boolean;
}

/** A time in which something was so, drawn behind the lines over the whole height: an alert that was firing. */
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

/** All values in axis space. */
export type Mark =
  | {
      readonly kind: "line";
      readonly id: string;
      readonly tone: ChartTone;
      readonly weight: LineWeight;
      /** Its pieces are too short for dashes, which would look like crumbs. */
      readonly isSolid?: boolean;
      readonly points: readonly (readonly [timeMs: number, value: number | null])[];
    }
  | {
      readonly kind: "band";
      readonly id: string;
      readonly tone: ChartTone;
      /** A run is without gaps. */
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
      /** The level, from 0 to 1, is the cell's place on the colour scale. */
      readonly cells: readonly (readonly [
        startMs: number,
        endMs: number,
        low: number,
        high: number,
        level: number,
      ])[];
    };

/** One thing that can be read at a time: a line, a layer of bars, a row of a heatmap. */
export interface Reading {
  readonly id: string;
  readonly label: string;
  readonly tone: ChartTone;
  readonly weight: LineWeight;
  readonly points: readonly ReadingPoint[];
}

export interface ReadingPoint {
  /** End of the window that it covers. */
  readonly timeMs: number;
  /** In the base unit; null where it is not shown, with the reason in `note`. */
  readonly value: number | null;
  readonly note?: string;
  readonly n?: number;
}

export interface PreparedChart {
  readonly range: ChartRange;
  /** Times are what has passed since a beginning, rather than moments of a calendar. */
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
  /** What is read, where that is not what the axis shows: a heatmap's cells are counts. */
  readonly readingUnit?: DisplayUnit;
  /** The whole that the values are a part of, in the base unit. */
  readonly whole?: number;
  /** Nothing can be drawn. */
  readonly isEmpty: boolean;
  /** In some of the range, nodes reported. An empty chart is then quiet and not unknown. */
  readonly isReported: boolean;
  /** All that is drawn is a known zero. */
  readonly isZero?: boolean;
}
