/** Vault that `npm start` creates beside Stashlight. */
export const localVaultName = "local";

/** Vault that has nodes, offered as a choice on pages. */
export interface KnownVault {
  readonly name: string;
  /** True if all its nodes come from the fleet simulator. */
  readonly isSimulated: boolean;
  /** True if all its nodes were revoked: it has past figures and will get no new ones. */
  readonly isRetired: boolean;
}

/** Limit on vaults in one query; no installation on one database has more. */
export const vaultCountMax = 1_000;
