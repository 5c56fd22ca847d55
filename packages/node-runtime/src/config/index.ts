export { hashAdminToken } from "./admin-token.ts";
export * from "./create-local-vault.ts";
export * from "./encryption-keys.ts";
export {
  inEpoch,
  isSameEpoch,
  parseVaultEpoch,
  readRawVaultFile,
  toVaultEpoch,
  type VaultEpoch,
} from "./epoch.ts";
export { findFreePorts, isPortFree } from "./free-ports.ts";
export {
  calls,
  nodeAddresses,
  podRoom,
  rebuildRate,
  scrubRoundDays,
  sparedPodCount,
  stashLimits,
  toVaultConfig,
} from "./layout.ts";
export { loadVaultFile, parseVaultFile, VaultFileError } from "./load-vault-file.ts";
export { nodeKeyPath, provideKeys, provideNodeKey, readNodeKeys } from "./node-keys.ts";
export type {
  CoordinatorNode,
  DriveConfig,
  PodNode,
  Quarantine,
  StashNode,
  VaultFile,
  VaultNode,
} from "./vault-file-schema.ts";
export { writeSecretFile, writeVaultFile } from "./write-vault-file.ts";
