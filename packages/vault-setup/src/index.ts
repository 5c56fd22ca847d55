export {
  bundleMachine,
  bundlePath,
  createVault,
  isSetupFolder,
  openSetupFolder,
  type SetupFolder,
  vaultFileIn,
} from "./create.ts";
export { readLayout } from "./layout/parse-layout.ts";
export { judgePlacement } from "./layout/placement.ts";
export type { Layout } from "./layout/schema.ts";
export {
  buildCoordinatorNode,
  buildStashNode,
  machineNames,
  nodesOfMachine,
  type StashMachine,
} from "./layout/vault-file.ts";
export { renewVault } from "./renew/renew.ts";
export { SetupError } from "./setup-error.ts";
