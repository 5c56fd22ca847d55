export { hashAdminToken } from "./admin-token.ts";
export { createAccessKey, createLocalVault, type LocalVaultOptions, portCountOf } from "./create.ts";
export { findFreePorts, isPortFree } from "./free-ports.ts";
export { nodeKeyFileOf, nodeKeysOf, provideKeys } from "./keys.ts";
export { addressesOf, calls, vaultConfigOf } from "./layout.ts";
export { loadVaultFile, VaultFileError } from "./load.ts";
export type { CoordinatorNode, DriveConfig, PodNode, StashNode, VaultFile, VaultNode } from "./schema.ts";
export { writeSecretFile, writeVaultFile } from "./write.ts";
