export { peekingShares, weightedLevels } from "../../peeking/repeated-looks.ts";
export { simulatePeeking } from "../simulate-peeking.ts";
export {
  type Coverage,
  calibratePair,
  calibrateRolling,
  calibrateTable,
  measureCoverage,
  measureMeanCoverage,
  measureMedianCoverage,
  type PairCalibration,
  type TableCalibration,
} from "./calibrate.ts";
export { quietWorld, type World } from "./world.ts";
