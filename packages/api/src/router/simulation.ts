import { readLiveVaultInput, simulationIdInput, startSimulationInput } from "@stashlight/contracts/planner";
import {
  cancelSimulation,
  deleteSimulation,
  getSimulation,
  listSimulations,
  readLiveVault,
  startSimulation,
} from "@stashlight/services/simulation";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const simulationRouter = router({
  list: query(listSimulations),
  get: queryWith(simulationIdInput, getSimulation),
  liveVault: queryWith(readLiveVaultInput, readLiveVault),
  start: mutationWith(startSimulationInput, startSimulation),
  cancel: mutationWith(simulationIdInput, cancelSimulation),
  delete: mutationWith(simulationIdInput, deleteSimulation),
});
