export { readFirstSteps } from "./completed-steps.ts";
export { hideFirstSteps } from "./hide.ts";
