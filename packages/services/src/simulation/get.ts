import type {
  MeasuredUploads,
  Scenario,
  ScenarioResult,
  SimulationRow,
  simulationIdInput,
} from "@stashlight/contracts/planner";
import { simulationRunColumns } from "@stashlight/db/columns/simulation";
import { requireRole, type Verb } from "../context.ts";
import { toSimulationRow } from "./simulation-rows.ts";
import { findSimulation } from "./stored-simulation.ts";

export interface SimulationDetail extends SimulationRow {
  readonly scenario: Scenario;
  readonly measured: MeasuredUploads | null;
  /** Null until the run has succeeded. */
  readonly result: ScenarioResult | null;
  readonly processorSeconds: number | null;
}

export async function getSimulation({
  ctx,
  input,
}: Verb<typeof simulationIdInput>): Promise<SimulationDetail> {
  requireRole(ctx, "viewer");
  const stored = await findSimulation(ctx.platform.db, input.simulationId);
  return {
    ...toSimulationRow(stored),
    scenario: simulationRunColumns.scenario.read(stored.scenario, stored.id),
    measured: simulationRunColumns.measured.readOrNull(stored.measured, stored.id),
    result: simulationRunColumns.result.readOrNull(stored.result, stored.id),
    processorSeconds: stored.processorSeconds,
  };
}
