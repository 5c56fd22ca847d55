export { againstVolume, type LabelledVolume, type ModelledVolume } from "./against-volume.ts";
export { type CellComparison, cellTitle, compareCells, type MeasuredGroup } from "./compare-cells.ts";
export {
  capSentences,
  describeDisturbance,
  describeTooShort,
  findLimit,
  type LimitFinding,
  refillSentence,
} from "./describe.ts";
export { chartStepSeconds, latencySteps, OVER_TIME_SECONDS_MIN } from "./over-time.ts";
