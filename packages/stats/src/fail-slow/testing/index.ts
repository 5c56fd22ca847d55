export { addEvaluations, type Evaluation, evaluateFleet } from "./evaluate.ts";
export { simulateFleet } from "./simulate-fleet.ts";
