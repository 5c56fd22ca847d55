/**
 * A vault that may not belong behind this endpoint: it waits to join, or was refused. No epoch gave it a key, so it
 * holds nothing of the endpoint. Its own content is not shown, and nothing is written or deleted there.
 */
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

export function memberVault(vault: VaultVerbs, isMember: () => boolean): VaultVerbs {
  const asMember = <Result>(write: () => Promise<Result>): Promise<Result> =>
    isMember() ? write() : Promise.reject(new VaultError("unavailable"));
  return {
    head: async (bucket, key) => (isMember() ? await vault.head(bucket, key) : null),
    get: async (bucket, key) => (isMember() ? await vault.get(bucket, key) : null),
    list: async (bucket, range) =>
      isMember() ? await vault.list(bucket, range) : { uploads: [], isTruncated: false },
    put: (object, condition, how) => asMember(() => vault.put(object, condition, how)),
    delete: (bucket, key, condition) => asMember(() => vault.delete(bucket, key, condition)),
  };
}
