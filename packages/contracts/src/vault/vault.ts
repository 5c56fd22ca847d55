/** Vault that `npm start` makes beside Stashlight. */
export const localVaultName = "local";

/** Vault that has nodes, as a choice of the pages. */
export interface KnownVault {
  readonly name: string;
  /** The fleet simulator made all of its nodes. */
  readonly isSimulated: boolean;
  /** All of its nodes were revoked: it has past figures, and no others will come. */
  readonly isRetired: boolean;
}

/** Most vaults in one question; no installation on one database has more. */
export const vaultCountMax = 1_000;
