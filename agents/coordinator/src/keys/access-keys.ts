/** All access keys that this coordinator knows: those of the vault's file, and those that admins made in the console. */

import type { ServedAccessKey } from "@stashlight/contracts/access-key";
import type { VaultFile } from "@stashlight/node-runtime/config";
import type { AccessKey } from "@stashlight/s3";

export class AccessKeys {
  readonly #ofFile: ReadonlyMap<string, AccessKey>;
  #served: ReadonlyMap<string, AccessKey> = new Map();

  constructor({ accessKeys }: Pick<VaultFile, "accessKeys">) {
    this.#ofFile = new Map(accessKeys.map((key) => [key.id, key]));
  }

  /** A key of the vault's file takes precedence over one with the same id from the console. */
  find(accessKeyId: string): AccessKey | null {
    return this.#ofFile.get(accessKeyId) ?? this.#served.get(accessKeyId) ?? null;
  }

  /** Replaces all keys that were served before. */
  serve(keys: readonly ServedAccessKey[]): void {
    this.#served = new Map(keys.map((key) => [key.id, key]));
  }
}
