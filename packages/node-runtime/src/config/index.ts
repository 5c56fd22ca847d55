export { hashAdminToken } from "./admin-token.ts";
export {
  createAccessKey,
  createLocalVault,
  type LocalVaultOptions,
  portCountOf,
} from "./create-local-vault.ts";
export {
  addEncryptionKey,
  createEncryptionKeys,
  dropEncryptionKeys,
  ENCRYPTION_KEY_FILE,
  newEncryptionKeys,
  readEncryptionKeys,
  type VaultKey,
} from "./encryption-keys.ts";
export {
  epochOf,
  inEpoch,
  isSameEpoch,
  parseVaultEpoch,
  readRawVaultFile,
  type VaultEpoch,
} from "./epoch.ts";
export { findFreePorts, isPortFree } from "./free-ports.ts";
export {
  addressesOf,
  calls,
  podRoom,
  rebuildRateOf,
  scrubRoundDays,
  stashLimits,
  vaultConfigOf,
} from "./layout.ts";
export { loadVaultFile, parseVaultFile, VaultFileError } from "./load-vault-file.ts";
export { nodeKeyFileOf, nodeKeysOf, provideKeys, provideNodeKey } from "./node-keys.ts";
export type {
  CoordinatorNode,
  DriveConfig,
  PodNode,
  StashNode,
  VaultFile,
  VaultNode,
} from "./vault-file-schema.ts";
export { writeSecretFile, writeVaultFile } from "./write-vault-file.ts";
