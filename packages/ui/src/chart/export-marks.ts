/** Draws gaps, spans and events into an exported chart. On the page they are elements above the plot. */
import { ANNOTATION_LABELS_MAX, ANNOTATION_LINES, LABEL_HEIGHT_PX } from "./labels.ts";
import type { ChartEvent, PreparedChart } from "./model.ts";
import type { ChartPalette } from "./option.ts";

/** Plot area within the image, in pixels. */
export interface PlotArea {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
}

const SPAN_OPACITY = 0.15;
const ANNOTATION_OPACITY = 0.1;
const EDGE_PX = 2;
const EVENT_PX = 4;
const LABEL_WIDTH_PX = 160;

const xScale = ({ range: { fromMs, toMs } }: PreparedChart, { left, width }: PlotArea) => {
  return (timeMs: number) =>
    left + ((Math.min(Math.max(timeMs, fromMs), toMs) - fromMs) / (toMs - fromMs)) * width;
};

/** Hatches times without data, and tints spans with an edge on top. */
export function drawBehind(
  context: CanvasRenderingContext2D,
  chart: PreparedChart,
  area: PlotArea,
  palette: ChartPalette,
): void {
  const x = xScale(chart, area);
  for (const { startMs, endMs } of chart.gaps) hatch(context, x(startMs), x(endMs), area, palette);
  for (const { startMs, endMs, status } of chart.spans ?? []) {
    context.save();
    context.fillStyle = palette.tones[status];
    const [left, width] = [x(startMs), Math.max(1, x(endMs) - x(startMs))];
    context.globalAlpha = SPAN_OPACITY;
    context.fillRect(left, area.top, width, area.height);
    context.globalAlpha = 1;
    // A dashed edge marks a warning for readers who cannot distinguish the colours.
    const dashPx = status === "warning" ? 3 * EDGE_PX : width;
    for (let at = 0; at < width; at += 2 * dashPx) {
      context.fillRect(left + at, area.top, Math.min(dashPx, width - at), EDGE_PX);
    }
    context.restore();
  }
}

/** Draws annotations over the whole height with their labels, and other events as marks on the time axis. */
export function drawMoments(
  context: CanvasRenderingContext2D,
  chart: PreparedChart,
  area: PlotArea,
  palette: ChartPalette,
): void {
  const x = xScale(chart, area);
  const annotations = chart.events.filter(({ isAnnotation }) => isAnnotation);
  for (const [index, event] of annotations.entries()) {
    const line = annotations.length <= ANNOTATION_LABELS_MAX ? index % ANNOTATION_LINES : null;
    drawAnnotation(context, event, x, { ...area, line }, palette);
  }
  const bottom = area.top + area.height;
  for (const { timeMs, status, span } of chart.events) {
    context.fillStyle = status === "info" || span ? palette.tones["accent-ink"] : palette.tones[status];
    if (span === undefined) {
      context.beginPath();
      context.moveTo(x(timeMs) - EVENT_PX, bottom + EVENT_PX);
      context.lineTo(x(timeMs), bottom - EVENT_PX);
      context.lineTo(x(timeMs) + EVENT_PX, bottom + EVENT_PX);
      context.fill();
    } else {
      context.fillRect(x(timeMs), bottom - EDGE_PX, Math.max(EDGE_PX, x(span.endMs) - x(timeMs)), EDGE_PX);
    }
  }
}

function drawAnnotation(
  context: CanvasRenderingContext2D,
  { timeMs, span, label }: ChartEvent,
  x: (timeMs: number) => number,
  { left, width, top, height, line }: PlotArea & { readonly line: number | null },
  palette: ChartPalette,
): void {
  const edges = span === undefined ? [x(timeMs)] : [x(timeMs), x(span.endMs)];
  const [start = left, end = start] = edges;
  context.save();
  context.fillStyle = palette.tones["accent-ink"];
  context.strokeStyle = palette.tones["accent-ink"];
  context.globalAlpha = ANNOTATION_OPACITY;
  context.fillRect(start, top, end - start, height);
  context.globalAlpha = 1;
  context.setLineDash([3, 3]);
  for (const edge of edges) {
    context.beginPath();
    context.moveTo(edge, top);
    context.lineTo(edge, top + height);
    context.stroke();
  }
  if (line !== null) {
    // Placed towards the middle, where there is room.
    const isRight = start > left + width / 2;
    context.font = `400 11px ${palette.font}`;
    context.textAlign = isRight ? "right" : "left";
    const text = fitted(context, label, LABEL_WIDTH_PX);
    context.fillText(text, start + (isRight ? -EVENT_PX : EVENT_PX), top + (line + 1) * LABEL_HEIGHT_PX);
  }
  context.restore();
}

function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  right: number,
  { top, height }: PlotArea,
  palette: ChartPalette,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, height);
  context.clip();
  context.strokeStyle = palette.line;
  context.lineWidth = 1.5;
  for (let x = left - height; x < right; x += 8) {
    context.beginPath();
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
    context.stroke();
  }
  context.restore();
}

/** Truncates the text to the available width. */
export function fitted(context: CanvasRenderingContext2D, text: string, widthPx: number): string {
  if (context.measureText(text).width <= widthPx) return text;
  let length = text.length - 1;
  while (length > 0 && context.measureText(`${text.slice(0, length)}…`).width > widthPx) length -= 1;
  return `${text.slice(0, length)}…`;
}
