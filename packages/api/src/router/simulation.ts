import { readLiveVaultInput, simulationIdInput, startSimulationInput } from "@stashlight/contracts";
import {
  cancelSimulation,
  deleteSimulation,
  getSimulation,
  listSimulations,
  readLiveVault,
  startSimulation,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const simulationRouter = router({
  list: procedure.query(({ ctx: { ctx } }) => listSimulations({ ctx })),
  get: procedure.input(simulationIdInput).query(({ ctx: { ctx }, input }) => getSimulation({ ctx, input })),
  liveVault: procedure
    .input(readLiveVaultInput)
    .query(({ ctx: { ctx }, input }) => readLiveVault({ ctx, input })),
  start: procedure
    .input(startSimulationInput)
    .mutation(({ ctx: { ctx }, input }) => startSimulation({ ctx, input })),
  cancel: procedure
    .input(simulationIdInput)
    .mutation(({ ctx: { ctx }, input }) => cancelSimulation({ ctx, input })),
  delete: procedure
    .input(simulationIdInput)
    .mutation(({ ctx: { ctx }, input }) => deleteSimulation({ ctx, input })),
});
