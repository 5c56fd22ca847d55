export { createAccessKey, createLocalVault, type LocalVaultOptions, portCountOf } from "./create.ts";
export { findFreePorts, isPortFree } from "./free-ports.ts";
export { addressesOf, calls, vaultConfigOf } from "./layout.ts";
export { loadVaultFile, parseVaultFile, VaultFileError } from "./load.ts";
export type { CoordinatorNode, DriveConfig, PodNode, StashNode, VaultFile, VaultNode } from "./schema.ts";
