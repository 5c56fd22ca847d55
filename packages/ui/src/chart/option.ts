/**
 * Translates a prepared chart into options of the charting library. It decides nothing; colours come from the theme.
 */
import type { CustomSeriesOption, LineSeriesOption } from "echarts/charts";
import type { GridComponentOption, MarkLineComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { mixColours } from "./colours.ts";
import type { ChartTone, LineWeight, Mark, PreparedChart } from "./model.ts";

export type ChartOption = ComposeOption<
  LineSeriesOption | CustomSeriesOption | GridComponentOption | MarkLineComponentOption
>;
type Series = LineSeriesOption | CustomSeriesOption;

/** Colours as `#rrggbb`, and the font, as read from the page. */
export interface ChartPalette {
  readonly tones: Readonly<Record<ChartTone, string>>;
  readonly surface: string;
  readonly line: string;
  readonly faint: string;
  readonly ink: string;
  readonly font: string;
}

/** Margins between the plot and the chart, in pixels. */
export interface PlotInsets {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const dashes: Record<LineWeight, "solid" | "dashed" | "dotted"> = {
  strong: "solid",
  medium: "solid",
  light: "dashed",
  dotted: "dotted",
  previous: "dotted",
};
const widths: Record<LineWeight, number> = {
  strong: 1.75,
  medium: 1.25,
  light: 1.25,
  dotted: 1.25,
  previous: 1.25,
};
const opacities: Record<LineWeight, number> = {
  strong: 1,
  medium: 0.72,
  light: 0.72,
  dotted: 0.72,
  previous: 0.45,
};

export function toOption(chart: PreparedChart, palette: ChartPalette, insets: PlotInsets): ChartOption {
  const axisLabel = { color: palette.faint, fontSize: 11, fontFamily: palette.font, hideOverlap: true };
  const timeLabels = new Map(chart.timeTicks.map(({ at, label }) => [at, label]));
  const { valueAxis } = chart;
  const valueLabels = new Map(valueAxis.ticks.map(({ at, label }) => [at.toPrecision(9), label]));
  // A tight axis need not end at a label.
  const isEven =
    Math.abs((valueAxis.ticks[0]?.at ?? 0) - valueAxis.min) < 1e-9 * (valueAxis.max - valueAxis.min);
  const customValues = isEven ? undefined : valueAxis.ticks.map(({ at }) => at);
  const step = (valueAxis.ticks[1]?.at ?? valueAxis.max) - (valueAxis.ticks[0]?.at ?? valueAxis.min);
  return {
    animation: false,
    grid: { ...insets, containLabel: false },
    xAxis: {
      type: "value",
      min: chart.range.fromMs,
      max: chart.range.toMs,
      axisLine: { show: true, lineStyle: { color: palette.line } },
      axisTick: {
        show: true,
        length: 3,
        lineStyle: { color: palette.line },
        customValues: [...timeLabels.keys()],
      },
      splitLine: { show: false },
      axisLabel: {
        ...axisLabel,
        customValues: [...timeLabels.keys()],
        formatter: (at: number) => timeLabels.get(at) ?? "",
      },
    },
    yAxis: {
      type: "value",
      min: valueAxis.min,
      max: valueAxis.max,
      interval: isEven ? step : undefined,
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: isEven, lineStyle: { color: palette.line, width: 1 } },
      axisLabel: {
        ...axisLabel,
        customValues,
        formatter: (at: number) => valueLabels.get(at.toPrecision(9)) ?? "",
      },
    },
    series: [...chart.marks.map((mark) => markSeries(mark, palette)), ...thresholdSeries(chart, palette)],
  };
}

function markSeries(mark: Mark, palette: ChartPalette): Series {
  const colour = palette.tones[mark.tone];
  const shared = { id: `${mark.kind}-${mark.id}`, silent: true, animation: false } as const;
  if (mark.kind === "line") {
    const lone = lonePoints(mark.points);
    return {
      ...shared,
      type: "line",
      data: mark.points as [number, number | null][],
      // Draws a window too short to be visible as a line.
      showSymbol: lone.size > 0,
      symbol: "circle",
      symbolSize: (_value, { dataIndex }) => (lone.has(dataIndex) ? 5 : 0),
      z: mark.weight === "previous" ? 2 : 3,
      itemStyle: { color: colour },
      lineStyle: {
        color: colour,
        width: widths[mark.weight],
        type: mark.isSolid ? "solid" : dashes[mark.weight],
        opacity: opacities[mark.weight],
      },
    };
  }
  if (mark.kind === "band") return polygons(shared, mark.runs.map(bandOutline), colour);
  if (mark.kind === "bars") {
    return rectangles(shared, mark.bars, () => colour, opacities[mark.weight], 0.12);
  }
  const ground = mixColours(palette.surface, colour, 0.12);
  return rectangles(shared, mark.cells, (level) => mixColours(ground, colour, level), 1, 0);
}

const lonePoints = (points: readonly (readonly [number, number | null])[]): ReadonlySet<number> =>
  new Set(
    points.flatMap(([, value], i) =>
      value !== null && isHole(points[i - 1]) && isHole(points[i + 1]) ? [i] : [],
    ),
  );

const isHole = (point: readonly [number, number | null] | undefined): boolean =>
  point === undefined || point[1] === null;

type Run = readonly (readonly [timeMs: number, low: number, high: number])[];

/** Outline of a band: along its upper edge, and back along its lower one. */
const bandOutline = (run: Run): [number, number][] => [
  ...run.map(([timeMs, , high]): [number, number] => [timeMs, high]),
  ...run.toReversed().map(([timeMs, low]): [number, number] => [timeMs, low]),
];

type Shared = { readonly id: string; readonly silent: true; readonly animation: false };

function polygons(
  shared: Shared,
  outlines: readonly [number, number][][],
  colour: string,
): CustomSeriesOption {
  return {
    ...shared,
    type: "custom",
    clip: true,
    z: 1,
    data: outlines.map((_, index) => [index]),
    renderItem: (_params, api) => ({
      type: "polygon",
      shape: { points: (outlines[Number(api.value(0))] ?? []).map((point) => api.coord(point)) },
      style: { fill: colour, opacity: 0.2 },
    }),
  };
}

type Box = readonly [startMs: number, endMs: number, low: number, high: number, level?: number];

/** More colour steps could not be distinguished. */
const LEVEL_STEPS = 32;

/**
 * Draws one path per colour: a heatmap has ten thousand cells, and a shape for each would take a tenth of a second to
 * draw.
 */
function rectangles(
  shared: Shared,
  boxes: readonly Box[],
  colourOf: (level: number) => string,
  opacity: number,
  /** Share of a box's width left empty to separate neighbours. */
  spacing: number,
): CustomSeriesOption {
  const alike = [...Map.groupBy(boxes, ([, , , , level = 1]) => Math.round(level * LEVEL_STEPS))];
  return {
    ...shared,
    type: "custom",
    clip: true,
    z: 1,
    data: alike.map((_, index) => [index]),
    renderItem: (_params, api) => {
      const [step, members] = alike[Number(api.value(0))] ?? [LEVEL_STEPS, []];
      const outlines = members.map(([startMs, endMs, low, high]) => {
        const [left = 0, bottom = 0] = api.coord([startMs, low]);
        const [right = 0, top = 0] = api.coord([endMs, high]);
        const free = (right - left) * spacing;
        const width = Math.max(1, right - left - free + (spacing === 0 ? 0.5 : 0));
        return `M${tenth(left + free / 2)} ${tenth(top)}h${tenth(width)}v${tenth(Math.max(1, bottom - top))}h${tenth(-width)}z`;
      });
      return {
        type: "path",
        shape: { pathData: outlines.join("") },
        style: { fill: colourOf(step / LEVEL_STEPS), opacity },
      };
    },
  };
}

const tenth = (px: number): number => Math.round(px * 10) / 10;

/** Height above which a label over a line would be clipped. */
const ROOM_ABOVE = 0.85;

function thresholdSeries({ thresholds, valueAxis }: PreparedChart, palette: ChartPalette): Series[] {
  if (thresholds.length === 0) return [];
  return [
    {
      id: "thresholds",
      type: "line",
      silent: true,
      animation: false,
      data: [],
      markLine: {
        silent: true,
        animation: false,
        symbol: "none",
        data: thresholds.map(({ at, label, tone }) => ({
          yAxis: at,
          lineStyle: { color: palette.tones[tone], type: "dashed", width: 1 },
          label: {
            formatter: label,
            position:
              (at - valueAxis.min) / (valueAxis.max - valueAxis.min) > ROOM_ABOVE
                ? "insideEndBottom"
                : "insideEndTop",
            color: palette.tones[tone],
            fontSize: 11,
            fontFamily: palette.font,
            textBorderColor: palette.surface,
            textBorderWidth: 3,
          },
        })),
      },
    },
  ];
}
