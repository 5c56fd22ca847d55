import { storedNumber } from "@stashlight/contracts/json";
import {
  measuredUploadsSchema,
  type SimulationProgress,
  scenarioResultSchema,
  scenarioSchema,
  simulationStates,
} from "@stashlight/contracts/planner";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { wordColumn } from "./word-column.ts";

const progress: z.ZodType<SimulationProgress> = z.object({
  share: storedNumber,
  secondsLeft: z.number().nullable(),
  eventCount: storedNumber,
});

export const simulationRunColumns = {
  state: wordColumn("simulation_run.state", simulationStates),
  scenario: jsonColumn("simulation_run.scenario", scenarioSchema),
  /** A list shows only the seed, so the rest of the scenario, which may hold a long trace, is not parsed. */
  seed: jsonColumn("simulation_run.scenario", z.object({ seed: z.number() })),
  measured: jsonColumn("simulation_run.measured", measuredUploadsSchema),
  progress: jsonColumn("simulation_run.progress", progress),
  result: jsonColumn("simulation_run.result", scenarioResultSchema),
};
