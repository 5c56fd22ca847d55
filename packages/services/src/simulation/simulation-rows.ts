import type { SimulationRow } from "@stashlight/contracts/planner";
import type { Transaction } from "@stashlight/db";
import { simulationRunColumns } from "@stashlight/db/columns/simulation";

/** Columns of a list: everything except the result, which is large. */
export const shownFields = {
  id: true,
  name: true,
  state: true,
  progress: true,
  outcome: true,
  requestedByName: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
  cancelRequestedAt: true,
  scenario: true,
  version: true,
} as const;

type StoredSimulation = Pick<
  Awaited<ReturnType<Transaction["simulationRun"]["findFirstOrThrow"]>>,
  keyof typeof shownFields
>;

export function toSimulationRow(stored: StoredSimulation): SimulationRow {
  const { id, state, progress, cancelRequestedAt, scenario, ...row } = stored;
  return {
    simulationId: id,
    name: row.name,
    state: simulationRunColumns.state.read(state, id),
    progress: simulationRunColumns.progress.readOrNull(progress, id),
    outcome: row.outcome,
    requestedByName: row.requestedByName,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    isCancelRequested: cancelRequestedAt !== null,
    seed: simulationRunColumns.seed.read(scenario, id).seed,
    version: row.version,
  };
}
