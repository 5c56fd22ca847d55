export { type JoinOptions, joinVault } from "./join.ts";
export { type MachineProcess, machineProcesses } from "./launches.ts";
export { type JoinedMachine, openMachine } from "./machine-folder.ts";
export type { Program } from "./program.ts";
export { serviceUnit } from "./units.ts";
