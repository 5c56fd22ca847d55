/** Free space of several vaults, to decide on a body before it is read. */
import { VaultError } from "../vault/errors.ts";
import type { Vault } from "../vault/vault.ts";
import type { WriteGate } from "./write-gate.ts";

type FreeSpaceOfVault = Pick<Vault, "checkRoom" | "freeBytes">;

export interface CombinedFreeSpaceOptions {
  readonly vaults: readonly FreeSpaceOfVault[];
  readonly isRefused: (vault: number) => boolean;
  readonly turns: WriteGate;
  readonly passOver: (vault: number) => Promise<boolean>;
  readonly mayBeTakenOver: (vault: number) => boolean;
}

export class CombinedFreeSpace implements FreeSpaceOfVault {
  readonly #options: CombinedFreeSpaceOptions;

  constructor(options: CombinedFreeSpaceOptions) {
    this.#options = options;
  }

  get freeBytes(): number {
    const { vaults, isRefused } = this.#options;
    return vaults.reduce((sum, { freeBytes }, index) => sum + (isRefused(index) ? 0 : freeBytes), 0);
  }

  async checkRoom(bucket: string, key: string, sizeBytes: number): Promise<boolean> {
    const { vaults, turns, passOver, mayBeTakenOver } = this.#options;
    const home = (): number => turns.segments({ bucket, key })[0]?.vault ?? 0;
    const asked = home();
    try {
      return await (vaults[asked] as FreeSpaceOfVault).checkRoom(bucket, key, sizeBytes);
    } catch (error) {
      const code = error instanceof VaultError ? error.code : null;
      // The write itself waits for the vault, or for another that takes its key, and finds out about free space there.
      if (code === "unavailable" && mayBeTakenOver(asked)) return false;
      if (code !== "full" || !(await passOver(asked))) throw error;
      return await (vaults[home()] as FreeSpaceOfVault).checkRoom(bucket, key, sizeBytes);
    }
  }
}
