"use client";
import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, MarkLineComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import { useTheme } from "../core/theme.ts";
import type { ChartTone, PreparedChart } from "./model.ts";
import { type ChartPalette, type PlotInsets, toOption } from "./option.ts";

use([LineChart, CustomChart, GridComponent, MarkLineComponent, CanvasRenderer]);

const tones: readonly ChartTone[] = [
  "stash",
  "pod",
  "direct",
  "coordinator",
  "series-1",
  "series-2",
  "series-3",
  "series-4",
  "series-5",
  "series-6",
  "accent-ink",
  "good",
  "warning",
  "bad",
  "unknown",
];

/** The tokens of the theme that is in force. */
function readPalette(): ChartPalette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    tones: Object.fromEntries(tones.map((tone) => [tone, token(tone)])) as Record<ChartTone, string>,
    surface: token("surface"),
    line: token("line"),
    faint: token("faint"),
    font: getComputedStyle(document.body).fontFamily,
  };
}

export interface ChartCanvasProps {
  readonly chart: PreparedChart;
  readonly insets: PlotInsets;
}

/** Paints axes and marks. What is pointed at, selected, missing or said is drawn above it, as elements of the page. */
export function ChartCanvas({ chart, insets }: ChartCanvasProps) {
  const holder = useRef<HTMLDivElement>(null);
  const instance = useRef<EChartsType>(null);
  const { resolvedTheme } = useTheme();

  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const made = init(element, null, { renderer: "canvas" });
    instance.current = made;
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      instance.current = null;
      made.dispose();
    };
  }, []);

  useEffect(() => {
    instance.current?.setOption(toOption(chart, readPalette(), insets), { notMerge: true });
  }, [chart, insets, resolvedTheme]);

  return <div ref={holder} aria-hidden="true" className="absolute inset-0" />;
}
