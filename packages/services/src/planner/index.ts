export { createScenario } from "./create-scenario.ts";
export { deleteScenario } from "./delete-scenario.ts";
export { getScenario, listScenarios } from "./list-scenarios.ts";
export { liveInputs } from "./live-inputs.ts";
export { renameScenario } from "./rename-scenario.ts";
export { readPlanReport, sharePlan } from "./reports.ts";
export { setDefaultScenario } from "./set-default-scenario.ts";
export { updateScenario } from "./update-scenario.ts";
