"use client";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { leave, pointAt, useCrosshair } from "./crosshair.ts";
import type { ChartRange, PreparedChart } from "./model.ts";

/** A press that moves less than this distance in pixels is a click, and selects nothing. */
const DRAG_PX_MIN = 6;

export interface PlotPointerInput {
  readonly chartId: string;
  readonly chart: PreparedChart;
  readonly onZoom?: ((range: ChartRange) => void) | undefined;
}

export interface Selection {
  readonly anchorMs: number;
  readonly headMs: number;
}

/** Handles pointing and the selection of a time by pointer and keyboard. */
export function usePlotPointer({ chartId, chart, onZoom }: PlotPointerInput) {
  const crosshair = useCrosshair();
  const [selection, setSelection] = useState<Selection | null>(null);
  const { fromMs, toMs } = chart.range;
  const clamp = (timeMs: number) => Math.min(toMs, Math.max(fromMs, timeMs));
  const pointerTimeMs = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return clamp(Math.round(fromMs + ((event.clientX - box.left) / box.width) * (toMs - fromMs)));
  };
  const select = (range: Selection) => {
    setSelection(null);
    const [startMs, endMs] = [Math.min(range.anchorMs, range.headMs), Math.max(range.anchorMs, range.headMs)];
    if (endMs > startMs) onZoom?.({ fromMs: startMs, toMs: endMs });
  };
  const pointers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const timeMs = pointerTimeMs(event);
      setSelection({ anchorMs: timeMs, headMs: timeMs });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const timeMs = pointerTimeMs(event);
      pointAt({ timeMs, chartId });
      if (selection !== null && event.buttons === 1) setSelection({ ...selection, headMs: timeMs });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (selection === null) return;
      const perPx = (toMs - fromMs) / event.currentTarget.getBoundingClientRect().width;
      const headMs = pointerTimeMs(event);
      if (Math.abs(headMs - selection.anchorMs) < DRAG_PX_MIN * perPx) setSelection(null);
      else select({ ...selection, headMs });
    },
    onPointerCancel: () => setSelection(null),
    onPointerLeave: () => leave(chartId),
  };
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const pointedMs = crosshair?.timeMs ?? toMs;
    const moved = movedBy(event, pointedMs, chart);
    if (moved !== null) {
      const timeMs = clamp(moved);
      pointAt({ timeMs, chartId });
      if (selection !== null) setSelection({ ...selection, headMs: timeMs });
    } else if (event.key === "Enter") {
      if (selection === null) setSelection({ anchorMs: pointedMs, headMs: pointedMs });
      else select({ ...selection, headMs: pointedMs });
    } else if (event.key === "Escape" && (selection !== null || crosshair !== null)) {
      setSelection(null);
      leave(chartId);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { crosshair, selection, handlers: { ...pointers, onKeyDown: keys, onBlur: () => leave(chartId) } };
}

/** Arrow keys move by one window, with Shift by a tenth of the range; Home and End go to the edges. */
function movedBy(event: KeyboardEvent, timeMs: number, { range, stepMs }: PreparedChart): number | null {
  const strideMs = event.shiftKey ? (range.toMs - range.fromMs) / 10 : stepMs;
  if (event.key === "ArrowLeft") return timeMs - strideMs;
  if (event.key === "ArrowRight") return timeMs + strideMs;
  if (event.key === "Home") return range.fromMs;
  if (event.key === "End") return range.toMs;
  return null;
}
