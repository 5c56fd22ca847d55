export { cancelSimulation } from "./cancel.ts";
export { deleteSimulation } from "./delete.ts";
export { getSimulation, type SimulationDetail } from "./get.ts";
export { listSimulations } from "./list.ts";
export { readLiveVault } from "./read-live-vault.ts";
export { runNextSimulation } from "./run-next.ts";
export { type Simulator, threadSimulator } from "./runner.ts";
export { startSimulation } from "./start.ts";
