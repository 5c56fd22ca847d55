/**
 * All access keys known to this coordinator: those in the vault's file, and those that admins created in the console.
 */

import type { ServedAccessKey } from "@stashlight/contracts/access-key";
import type { VaultFile } from "@stashlight/node-runtime/config";
import type { AccessKey } from "@stashlight/s3";

export class AccessKeys {
  readonly #ofFile: ReadonlyMap<string, AccessKey>;
  #served: ReadonlyMap<string, AccessKey> = new Map();

  constructor({ accessKeys }: Pick<VaultFile, "accessKeys">) {
    this.#ofFile = new Map(accessKeys.map((key) => [key.id, key]));
  }

  /** A key in the vault's file takes precedence over one with the same id from the console. */
  find(accessKeyId: string): AccessKey | null {
    return this.#ofFile.get(accessKeyId) ?? this.#served.get(accessKeyId) ?? null;
  }

  /** Replaces all keys served before. */
  serve(keys: readonly ServedAccessKey[]): void {
    this.#served = new Map(keys.map((key) => [key.id, key]));
  }
}
