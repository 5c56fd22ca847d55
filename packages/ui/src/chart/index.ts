export { makeValueAxis } from "./axes.ts";
export { ChartPanel, type ChartPanelProps } from "./chart-panel.tsx";
export type {
  ChartEvent,
  ChartGap,
  ChartRange,
  ChartSpan,
  ChartThreshold,
  ChartTone,
  LineWeight,
  PreparedChart,
} from "./model.ts";
export { type BarsInput, type LayerInput, type PreviousTotal, prepareBars } from "./prepare-bars.ts";
export { type HeatmapInput, prepareHeatmap } from "./prepare-heatmap.ts";
export { type ChartInput, type LineInput, type LinesInput, prepareLines } from "./prepare-lines.ts";
export { prepareMultiples } from "./prepare-multiples.ts";
export type { Moment } from "./readings.ts";
export {
  chooseUnit,
  type DisplayUnit,
  formatIn,
  formatQuantity,
  formatWith,
  type Quantity,
} from "./units.ts";
