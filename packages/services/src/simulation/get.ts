import {
  type MeasuredUploads,
  measuredUploadsSchema,
  type Scenario,
  type SimulationRow,
  type simulationIdInput,
} from "@stashlight/contracts";
import type { ScenarioResult } from "@stashlight/simulation/scenario";
import type { z } from "zod";
import { requireRole, type Verb } from "../context.ts";
import { findSimulation } from "./find.ts";
import { toSimulationRow } from "./rows.ts";

export interface SimulationDetail extends SimulationRow {
  readonly scenario: Scenario;
  readonly measured: MeasuredUploads | null;
  /** Null until it has succeeded. */
  readonly result: ScenarioResult | null;
  readonly processorSeconds: number | null;
}

export async function getSimulation({
  ctx,
  input,
}: Verb<z.output<typeof simulationIdInput>>): Promise<SimulationDetail> {
  requireRole(ctx, "viewer");
  const stored = await findSimulation(ctx.platform.db, input.simulationId);
  return {
    ...toSimulationRow(stored),
    scenario: stored.scenario as unknown as Scenario,
    measured: stored.measured === null ? null : measuredUploadsSchema.parse(stored.measured),
    result: stored.result as unknown as ScenarioResult | null,
    processorSeconds: stored.processorSeconds,
  };
}
