export { againstVolume, type LabelledVolume, type ModelledVolume } from "./against-volume.ts";
export { type CellComparison, cellTitle, compareCells, type MeasuredGroup } from "./compare-cells.ts";
export * from "./describe.ts";
export { chartStepSeconds, latencySteps, OVER_TIME_SECONDS_MIN } from "./over-time.ts";
