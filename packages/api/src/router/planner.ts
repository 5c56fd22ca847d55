import {
  createScenarioInput,
  deleteScenarioInput,
  liveInputsInput,
  renameScenarioInput,
  scenarioIdInput,
  sharePlanInput,
  updateScenarioInput,
} from "@stashlight/contracts/planner";
import { readReportInput } from "@stashlight/contracts/report-link";
import {
  createScenario,
  deleteScenario,
  getScenario,
  listScenarios,
  liveInputs,
  readPlanReport,
  renameScenario,
  setDefaultScenario,
  sharePlan,
  updateScenario,
} from "@stashlight/services/planner";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

/**
 * Reading a report is a mutation although it changes nothing: this keeps the token out of URLs, which end up in logs.
 */
export const plannerRouter = router({
  liveInputs: queryWith(liveInputsInput, liveInputs),
  listScenarios: query(listScenarios),
  getScenario: queryWith(scenarioIdInput, getScenario),
  createScenario: mutationWith(createScenarioInput, createScenario),
  updateScenario: mutationWith(updateScenarioInput, updateScenario),
  renameScenario: mutationWith(renameScenarioInput, renameScenario),
  deleteScenario: mutationWith(deleteScenarioInput, deleteScenario),
  setDefaultScenario: mutationWith(scenarioIdInput, setDefaultScenario),
  share: mutationWith(sharePlanInput, sharePlan),
  readReport: mutationWith(readReportInput, readPlanReport),
});
