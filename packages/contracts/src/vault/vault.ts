/** The vault that `npm start` makes beside Stashlight. */
export const localVaultName = "local";

/** A vault that has nodes, as a choice of what pages show. */
export interface KnownVault {
  readonly name: string;
  /** All of its nodes were made by the fleet simulator. */
  readonly isSimulated: boolean;
  /** All of its nodes were revoked: it has figures of the past, and no others will come. */
  readonly isRetired: boolean;
}

/** One question asks about at most so many; more are in no installation that one database serves. */
export const vaultCountMax = 1_000;
