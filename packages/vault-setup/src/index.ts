export {
  bundleFileOf,
  bundleMachine,
  createVault,
  isSetupFolder,
  openSetupFolder,
  type SetupFolder,
  vaultFileIn,
} from "./create.ts";
export { judgePlacement } from "./layout/placement.ts";
export { readLayout } from "./layout/read.ts";
export type { Layout } from "./layout/schema.ts";
export { machinesOf, nodesOfMachine, type StashMachine, stashNodeOf } from "./layout/vault-file.ts";
export { renewVault } from "./renew/renew.ts";
export { SetupError } from "./setup-error.ts";
