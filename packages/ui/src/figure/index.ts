export { FigurePanel, type FigurePanelProps } from "./figure-panel.tsx";
export type { PreparedFigure } from "./model.ts";
export * from "./prepare.ts";
export { type ElapsedInput, type ElapsedLine, prepareElapsed } from "./prepare-elapsed.ts";
export {
  type CountBar,
  type CurveInput,
  prepareCounts,
  prepareCurves,
  prepareRows,
  prepareTornado,
  type RowInput,
  type TornadoInput,
} from "./prepare-rows.ts";
export {
  prepareScatter,
  type ScatterGroup,
  type ScatterPoint,
} from "./prepare-scatter.ts";
export { prepareShades, type ShadeRow } from "./prepare-shades.ts";
