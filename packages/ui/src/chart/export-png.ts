/** Exports a chart as a self-explanatory image with title, metric, range, line names and data source. */

import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, MarkLineComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { downloadBlob } from "../core/download.ts";
import { formatDateTime, formatElapsed } from "../core/format.ts";
import { drawBehind, drawMoments, fitted } from "./export-marks.ts";
import {
  axisLabelsWidthPx,
  endLabelsWidthPx,
  hasEndLabels,
  LABEL_HEIGHT_PX,
  placeEndLabels,
} from "./labels.ts";
import type { PreparedChart } from "./model.ts";
import { type ChartPalette, type PlotInsets, toOption } from "./option.ts";
import { readPalette } from "./palette.ts";

use([LineChart, CustomChart, GridComponent, MarkLineComponent, CanvasRenderer]);

export interface PanelPicture {
  readonly chart: PreparedChart;
  readonly title: string;
  readonly metric: string;
  /** Data source, and any warning that values were not measured. */
  readonly origin: string;
}

const WIDTH_PX = 1_000;
const PLOT_HEIGHT_PX = 380;
const PADDING_PX = 20;
const LINE_PX = 18;
/** Pixels per CSS pixel, enough for high-density screens. */
const SCALE = 2;

/** Draws in the current theme's colours, and hands the file to the browser. */
export async function downloadPng(fileName: string, picture: PanelPicture): Promise<void> {
  const canvas = drawPicture(picture, readPalette());
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("The browser made no picture of the canvas.");
  downloadBlob(fileName, blob);
}

function drawPicture(
  { chart, title, metric, origin }: PanelPicture,
  palette: ChartPalette,
): HTMLCanvasElement {
  const names = legendReadings(chart);
  const headPx = PADDING_PX + 26 + LINE_PX * (names.length > 0 ? 2 : 1) + 10;
  const heightPx = headPx + PLOT_HEIGHT_PX + LINE_PX + PADDING_PX;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH_PX * SCALE, heightPx * SCALE];
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser has no canvas to draw on.");
  context.scale(SCALE, SCALE);
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, WIDTH_PX, heightPx);
  const write = (text: string, y: number, { size = 13, colour = palette.faint, weight = 400 } = {}) => {
    context.font = `${weight} ${size}px ${palette.font}`;
    context.fillStyle = colour;
    context.fillText(fitted(context, text, WIDTH_PX - 2 * PADDING_PX), PADDING_PX, y);
  };
  const unit = chart.unit.name === "" ? "" : ` · ${chart.unit.name}`;
  write(title, PADDING_PX + 14, { size: 17, colour: palette.ink, weight: 600 });
  write(`${metric}${unit} · ${formatRange(chart)}`, PADDING_PX + 26 + 12);
  drawNames(context, names, PADDING_PX + 26 + LINE_PX + 12, palette);
  drawPlot(context, chart, headPx, palette);
  write(`${origin} · Stashlight`, headPx + PLOT_HEIGHT_PX + LINE_PX);
  return canvas;
}

function formatRange({ range, isElapsed }: PreparedChart): string {
  const format = isElapsed ? formatElapsed : (timeMs: number) => formatDateTime(timeMs);
  return `${format(range.fromMs)} to ${format(range.toMs)}`;
}

const legendReadings = (chart: PreparedChart) => {
  const named = chart.readings.filter(({ weight }) => weight !== "previous");
  return hasEndLabels(chart) || named.length < 2 || chart.readingUnit !== undefined ? [] : named;
};

function drawNames(
  context: CanvasRenderingContext2D,
  names: PreparedChart["readings"],
  y: number,
  palette: ChartPalette,
): void {
  context.font = `400 13px ${palette.font}`;
  let x = PADDING_PX;
  for (const [index, { label, tone }] of names.entries()) {
    const widthPx = context.measureText(label).width;
    const restPx = index === names.length - 1 ? 0 : 80;
    if (x + 20 + widthPx + restPx > WIDTH_PX - PADDING_PX) {
      context.fillStyle = palette.faint;
      context.fillText(`and ${names.length - index} more`, x, y);
      return;
    }
    context.fillStyle = palette.tones[tone];
    context.fillRect(x, y - 6, 14, 3);
    context.fillStyle = palette.ink;
    context.fillText(label, x + 19, y);
    x += 19 + widthPx + 16;
  }
}

/** Draws the plot with its overlays: gaps, spans, events, and line names. */
function drawPlot(
  context: CanvasRenderingContext2D,
  chart: PreparedChart,
  topPx: number,
  palette: ChartPalette,
): void {
  const widthPx = WIDTH_PX - 2 * PADDING_PX;
  const right = hasEndLabels(chart) ? endLabelsWidthPx(chart) : 10;
  const insets: PlotInsets = { left: axisLabelsWidthPx(chart), right, top: 8, bottom: 24 };
  const area = {
    left: PADDING_PX + insets.left,
    width: widthPx - insets.left - right,
    top: topPx + insets.top,
    height: PLOT_HEIGHT_PX - insets.top - insets.bottom,
  };
  drawBehind(context, chart, area, palette);
  const holder = document.createElement("div");
  const instance = init(holder, null, {
    renderer: "canvas",
    width: widthPx,
    height: PLOT_HEIGHT_PX,
    devicePixelRatio: SCALE,
  });
  instance.setOption(toOption(chart, palette, insets));
  const plot = instance.renderToCanvas({ pixelRatio: SCALE });
  context.drawImage(plot, PADDING_PX, topPx, widthPx, PLOT_HEIGHT_PX);
  instance.dispose();
  drawMoments(context, chart, area, palette);
  if (!hasEndLabels(chart)) return;
  context.font = `400 12px ${palette.font}`;
  const readings = new Map(chart.readings.map((reading) => [reading.id, reading]));
  for (const { id, topPx: labelPx } of placeEndLabels(chart, area.height, LABEL_HEIGHT_PX)) {
    const reading = readings.get(id);
    if (reading === undefined) continue;
    context.fillStyle = palette.tones[reading.tone];
    const text = fitted(context, reading.label, right - 6);
    context.fillText(text, WIDTH_PX - PADDING_PX - right + 4, area.top + labelPx + 4);
  }
}
