export { BarsPanel } from "./bars-panel.tsx";
export { HeatmapPanel } from "./heatmap-panel.tsx";
export { LinesPanel } from "./lines-panel.tsx";
export { MultiplesPanel } from "./multiples-panel.tsx";
