"use client";
import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, MarkLineComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { useEffect, useRef } from "react";
import { useTheme } from "../core/theme.ts";
import type { PreparedChart } from "./model.ts";
import { type PlotInsets, toOption } from "./option.ts";
import { readPalette } from "./palette.ts";

use([LineChart, CustomChart, GridComponent, MarkLineComponent, CanvasRenderer]);

export interface ChartCanvasProps {
  readonly chart: PreparedChart;
  readonly insets: PlotInsets;
}

/** Paints axes and marks. The crosshair, selection, gaps and annotations are drawn above it as page elements. */
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
