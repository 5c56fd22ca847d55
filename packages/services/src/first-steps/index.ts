export { hideFirstSteps } from "./hide.ts";
export { readFirstSteps } from "./read.ts";
